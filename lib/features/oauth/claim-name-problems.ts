import { findStandardClaim } from './claim-names.ts'

/*
 * Names that added claims cannot have. They are compared without regard to case: some JSON libraries read `SUB` as `sub`. Functions that issue
 * tokens do not load this file at their start.
 */

/** What the service states about a user, in the claims of OpenID Connect and in those of its own. */
const ownNames: ReadonlySet<string> = new Set([
  ...['sub', 'email', 'preferred_username', 'name', 'updated_at', 'username', 'user_id'],
  ...['groups', 'permissions', 'attributes', 'access_link'],
])

/** Names with a meaning in JWTs, ID tokens, access tokens, introspection and answers with errors. */
const protocolNames: ReadonlySet<string> = new Set([
  ...['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'typ', 'alg', 'kid', 'crit', 'cty'],
  ...['azp', 'nonce', 'auth_time', 'at_hash', 'c_hash', 's_hash', 'acr', 'amr', 'sid', 'sub_jwk', 'sub_id'],
  ...['scope', 'scp', 'client_id', 'act', 'may_act', 'cnf', 'authorization_details', 'events', 'toe', 'txn'],
  ...['active', 'token_type', 'token_introspection', 'error', 'error_description', 'error_uri'],
])

const isReserved = (name: string): boolean => /^(?:org_|latchkey)|_verified$/.test(name)

/** What keeps a claim from having a name. */
export const findNameProblem = (name: string, place: 'attributes' | 'top'): string | undefined => {
  const folded = name.toLowerCase()
  if (ownNames.has(folded)) return 'must not be the name of a claim that the service states itself'
  if (protocolNames.has(folded) || isReserved(folded))
    return 'must not be a name of a protocol, or begin with org_ or latchkey, or end with _verified'
  // Code that looks a claim up in an object would find what each object has.
  if (Object.hasOwn(Object.prototype, name)) return 'must not be a name that each object of JavaScript has'
  if (place === 'top' && name !== folded && findStandardClaim({ name: folded, place }))
    return `must be ${folded}, as OpenID Connect writes it`
  return undefined
}
