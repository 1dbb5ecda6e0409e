import { AccessError } from './access-error.ts'
import { createMiddleware } from './create-middleware.ts'

// The entry of the package `latchkey/middleware`.
export type { Middleware } from './create-middleware.ts'
export type { IdentifyUser, MiddlewareOptions, Requirement, User } from './identify-user.ts'
export { AccessError, createMiddleware }
