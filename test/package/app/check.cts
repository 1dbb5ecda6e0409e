import { App, Stack } from 'aws-cdk-lib'
import { AuthService } from '@latchkey/construct'
import { startLocalService } from 'latchkey'

export const auth: AuthService = new AuthService(new Stack(new App(), 'Product'), 'Auth', { backup: true })
export const start: typeof startLocalService = startLocalService
