import { connectFrameworks, type Middleware } from './connect-frameworks.ts'
import { createIdentifyUser, type MiddlewareOptions, type ProfileUser } from './identify-user.ts'

/**
 * Creates middleware that asks the service who is calling. @throws TypeError if `baseUrl` is not accepted
 *
 * @example
 * ```ts
 * import { createMiddleware } from '@latchkey/middleware'
 *
 * const latchkey = createMiddleware({ baseUrl: 'https://auth.example.com' })
 * export const handler = latchkey.web((_, user) => Response.json({ hello: user.username }))
 * ```
 */
export const createMiddleware = (options: MiddlewareOptions): Middleware<ProfileUser> =>
  connectFrameworks(createIdentifyUser(options))
