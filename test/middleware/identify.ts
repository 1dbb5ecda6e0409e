import { createJwtMiddleware } from '../../lib/middleware/create-jwt-middleware.ts'
import type { JwtMiddlewareOptions } from '../../lib/middleware/jwt-options.ts'
import type { Requirement } from '../../lib/middleware/requirement.ts'
import type { TokenUser } from '../../lib/middleware/token-user.ts'
import { audience, type Issuer } from './issuer.ts'

/** Creates middleware for the tokens of an issuer. Returns the function that identifies the caller by a token. */
export const createIdentify = (
  { url }: Pick<Issuer, 'url'>,
  options: Partial<JwtMiddlewareOptions> = {},
): ((token: string, requirement?: Requirement) => Promise<TokenUser>) => {
  const { identifyUser } = createJwtMiddleware({ baseUrl: url, audience, ...options })
  return (token, requirement = {}) =>
    identifyUser(
      { method: 'GET', getHeader: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined) },
      requirement,
    )
}

/** The status that a product answers with. */
export const statusOf = (identified: Promise<unknown>): Promise<number> =>
  identified.then(
    () => 200,
    ({ status }) => status,
  )
