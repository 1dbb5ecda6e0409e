import { App, Stack } from 'aws-cdk-lib'
import { AuthService } from '@latchkey/construct'
import { type BeforeTokenAnswer, defineHook, type HookHandler } from '@latchkey/hooks'
import { startLocalService } from 'latchkey'

export const auth: AuthService = new AuthService(new Stack(new App(), 'Product'), 'Auth', { backup: true })
export const start: typeof startLocalService = startLocalService

const answer: BeforeTokenAnswer = { claims: { plan: 'pro' } }
export const beforeToken: HookHandler<'beforeToken'> = defineHook('beforeToken', () => answer)
