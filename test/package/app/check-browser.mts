import { createClient, isLatchkeyError, type LatchkeyClient, type ServiceUserProfile } from '@latchkey/client'
import { createJwtMiddleware, createMiddleware, type TokenUser, type User } from '@latchkey/middleware'

const client: LatchkeyClient = createClient({ baseUrl: 'https://auth.example.com' })
export const user: Promise<ServiceUserProfile> = client.users.getCurrentUser()
export const isSecondFactor = (error: unknown): boolean =>
  isLatchkeyError(error, 'login_incomplete', 'otp_required')
export const caller: Promise<User> = createMiddleware({ baseUrl: 'https://auth.example.com' }).identifyUser({
  method: 'GET',
  getHeader: () => undefined,
})
export const guard: (request: Request) => Promise<Response> = createJwtMiddleware({
  baseUrl: 'https://auth.example.com',
  audience: 'https://films.example.com',
}).web((_, { username }: TokenUser) => new Response(username), { asksService: true })

// @ts-expect-error The code has no such reason.
export const isWrong = (error: unknown): boolean => isLatchkeyError(error, 'not_found', 'otp_required')
