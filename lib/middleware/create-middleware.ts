import { connectFrameworks, type Middleware } from './connect-frameworks.ts'
import { createIdentifyUser, type MiddlewareOptions, type ProfileUser } from './identify-user.ts'

/** Creates middleware that asks the service who is calling. @throws TypeError if `baseUrl` is not accepted */
export const createMiddleware = (options: MiddlewareOptions): Middleware<ProfileUser> =>
  connectFrameworks(createIdentifyUser(options))
