import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import type { Caller } from './identify-caller.ts'

/** What the product gets to know about a caller. All values are texts, because REST APIs and AppSync allow no lists. */
export type AuthorizerContext = Readonly<Record<string, string>>

/** Builds the context of a caller. Lists are JSON texts, because names of groups can have any character. */
export const buildContext = (caller: Caller): AuthorizerContext => {
  const { principal, claims } = caller
  return omitUndefined({
    user_id: claims.sub,
    username: claims.preferred_username,
    permissions: JSON.stringify(claims.permissions),
    groups: JSON.stringify(claims.groups),
    kind: nameKind(caller),
    client_id: caller.clientId,
    session_id: claims.sid,
    scopes: principal.scopes && JSON.stringify(principal.scopes),
    actor_id: claims.act?.sub,
    actor_username: claims.act?.preferred_username,
    access_link: claims.access_link?.toString(),
  })
}

/** A guest of an access link stays one with a JWT. */
const nameKind = ({ principal, isJwt }: Caller): string => {
  if (principal.session?.accessToken) return 'access_link'
  return isJwt ? 'jwt' : principal.kind
}
