import { AccessError } from './access-error.ts'
import { createJwtMiddleware } from './create-jwt-middleware.ts'
import { createMiddleware } from './identify-user.ts'
import { createResourceMetadata } from './resource-metadata.ts'
import { hasPermission } from './user.ts'

// The entry of the package `@latchkey/middleware`.
export type { IdentifyUser, Middleware, WithUser } from './connect-frameworks.ts'
export type { MiddlewareOptions, ProfileUser } from './identify-user.ts'
export type { IntrospectionClient, JwtMiddlewareOptions } from './jwt-options.ts'
export type { IncomingRequest } from './read-credential.ts'
export type { Requirement } from './requirement.ts'
export type { ResourceMetadata, ResourceMetadataOptions } from './resource-metadata.ts'
export type { TokenClaims, TokenUser } from './token-user.ts'
export type { Actor, CredentialKind, User, UserOrganization } from './user.ts'
export { AccessError, createJwtMiddleware, createMiddleware, createResourceMetadata, hasPermission }
