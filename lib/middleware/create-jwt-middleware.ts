import { AccessError } from './access-error.ts'
import { connectFrameworks, type Middleware } from './connect-frameworks.ts'
import { createIntrospectToken } from './introspect-token.ts'
import type { JwtMiddlewareOptions, JwtRequirement } from './jwt-options.ts'
import { readCredential } from './read-credential.ts'
import { readTokenUser, type TokenUser } from './token-user.ts'
import { hasPermission } from './user.ts'
import { createVerifyToken } from './verify-token.ts'

/**
 * Creates middleware that verifies JWT access tokens (RFC 9068) with the public keys of the service, and asks nothing else.
 * A token counts until it expires, unless the requirement of a route has `asksService`.
 *
 * @throws TypeError for options that are not accepted, such as a missing audience
 */
export const createJwtMiddleware = (options: JwtMiddlewareOptions): Middleware<TokenUser, JwtRequirement> => {
  const { acceptsGuests = false } = options
  const verifyToken = createVerifyToken(options)
  const introspectToken = createIntrospectToken(options)
  return connectFrameworks<TokenUser, JwtRequirement>(
    async (request, { permission, asksService = false } = {}) => {
      const token = readCredential(request, undefined)
      if (token === undefined) throw new AccessError('notAuthenticated')
      const user = readTokenUser(await verifyToken(token))
      if (user.kind === 'access_link' && !acceptsGuests) throw new AccessError('guest')
      if (permission !== undefined && !hasPermission(user, permission))
        throw new AccessError('insufficientScope')
      if (asksService) await introspectToken(token)
      return user
    },
  )
}
