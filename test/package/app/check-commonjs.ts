import { createClient, type ServiceUserProfile } from '@latchkey/client'
import { AuthService } from '@latchkey/construct'
import { defineHook, type HookHandler } from '@latchkey/hooks'
import { createMiddleware, type IncomingRequest, type ProfileUser } from '@latchkey/middleware'
import { App, Stack } from 'aws-cdk-lib'
import { startLocalService } from 'latchkey'

const baseUrl = 'https://auth.example.com'
export const user: Promise<ServiceUserProfile> = createClient({ baseUrl }).users.getCurrentUser()
export const auth: AuthService = new AuthService(new Stack(new App(), 'Product'), 'Auth', { backup: true })
export const start: typeof startLocalService = startLocalService
export const identify = (request: Request | IncomingRequest): Promise<ProfileUser> =>
  createMiddleware({ baseUrl }).identifyUser(request)

export const afterSignIn: HookHandler<'afterSignIn'> = defineHook('afterSignIn', () => ({
  decision: 'continue',
}))

export const wrong = new AuthService(new Stack(new App(), 'Other'), 'Auth', {
  // @ts-expect-error Origins are a list.
  allowedOrigins: 'https://app.example.com',
})
