import { createClient, isLatchkeyError, type LatchkeyClient, type ServiceUserProfile } from 'latchkey/client'
import { createMiddleware, type User } from 'latchkey/middleware'

const client: LatchkeyClient = createClient({ baseUrl: 'https://auth.example.com' })
export const user: Promise<ServiceUserProfile> = client.users.getCurrentUser()
export const isSecondFactor = (error: unknown): boolean =>
  isLatchkeyError(error, 'login_incomplete', 'otp_required')
export const caller: Promise<User> = createMiddleware({ baseUrl: 'https://auth.example.com' }).identifyUser({
  method: 'GET',
  getHeader: () => undefined,
})

// @ts-expect-error The code has no such reason.
export const isWrong = (error: unknown): boolean => isLatchkeyError(error, 'not_found', 'otp_required')
