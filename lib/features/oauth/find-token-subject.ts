import type { Principal } from '../../accounts/callers/principal.ts'
import { findSessions } from '../../accounts/sessions/find-sessions.records.ts'
import { sessionsReadPerList } from '../../kernel/limits/limits.ts'
import { getUserinfoAudience, ownClientId } from '../../kernel/settings/jwt-audiences.ts'
import type { Services } from '../../services.ts'
import { findApiTokens } from '../api-tokens/records.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import { authenticateStored, type StoredCredential } from '../sign-in/authentication.ts'
import type { ClientRecord } from './clients.records.ts'
import { readDocumentAddress } from './document-address.ts'
import { findGrantSubject } from './grants.ts'
import { isApiOf, listGrantedScopes, toResource } from './resources.ts'
import { type ClientRights, nameSubject } from './token-claims.ts'
import { findTokenState } from './token-state.records.ts'
import { buildSessionId, getSessionId } from './tokens/claims.ts'
import type { AccessTokenClaims } from './tokens/verify-access-token.ts'

/** The user behind an access token, and what the token allows now. */
export interface TokenSubject {
  readonly principal: ActingPrincipal
  /** The client, and the scopes of the token that it still has. Undefined for tokens of `create_jwt`. */
  readonly rights: (ClientRights & { readonly client: ClientRecord }) | undefined
}

/**
 * Finds the user of a verified access token, if everything that the token depends on still works: its session or API
 * token, the user, and for tokens of a client also the client, its API, the grant and the token itself. `asker` is the client of
 * this request, if it is one.
 */
export const findTokenSubject = async (
  services: Services,
  claims: AccessTokenClaims,
  asker?: ClientRecord,
): Promise<TokenSubject | undefined> => {
  if (claims.client_id === ownClientId) {
    const principal = await findTokenPrincipal(services, claims)
    return principal && { principal, rights: undefined }
  }
  const isForUserinfo = claims.aud === getUserinfoAudience(services.config.publicUrl)
  const audience = isForUserinfo ? undefined : claims.aud
  const names = { jti: claims.jti, clientId: claims.client_id, audience, asker }
  const state = await findTokenState(services.table, names, services.now())
  if (!state) return undefined
  const { client, api } = state
  if (!isForUserinfo && !isApiOf(client, claims.aud, api)) return undefined
  if (client.document && !(await readDocumentAddress(services, client.clientId)).address) return undefined
  const allowed =
    isForUserinfo || !api ? client.scopes : listGrantedScopes(client, toResource(claims.aud), api)
  const scopes = (claims.scope ?? '').split(' ').filter((scope) => allowed.includes(scope))
  const principal = await findGrantSubject(services, state.grant)
  // The client may be of another system by now, whose IDs are of other users.
  if (!principal || nameSubject(principal.user, client) !== claims.sub) return undefined
  return { principal, rights: { client, scopes, api: isForUserinfo ? undefined : api } }
}

/** The hash of a session or API token, by its owner and its ID in tokens. It never changes, so it may be cached. */
const hashCache = new Map<string, string>()
const maxCached = 10_000

/**
 * Finds the caller behind a JWT: the session or API token that it was issued for, as it is now. Returns undefined after a
 * logout, for a disabled user, and if an impersonation began or stopped. Takes one table call, and another one when a process sees
 * the session for the first time.
 */
const findTokenPrincipal = async (
  services: Services,
  { sub, sid = '', act, auth_time }: Pick<AccessTokenClaims, 'sub' | 'sid' | 'act' | 'auth_time'>,
): Promise<Principal | undefined> => {
  // During an impersonation, the session belongs to the administrator.
  const userId = Number(act?.sub ?? sub)
  if (!Number.isSafeInteger(userId)) return undefined
  // Only tokens of sessions state when the user proved their identity.
  const kind = auth_time === undefined ? 'api_token' : 'session'
  const impersonated = act && Number(sub)
  const hash = await findHash(services, { kind, userId, sid, impersonated })
  const principal =
    hash === undefined ? undefined : await authenticateStored(services, { kind, userId, hash })
  if (!principal || getSessionId(principal) !== sid) return undefined
  const isSame = String(principal.user.id) === sub && String(principal.actor?.id) === String(act?.sub)
  return isSame ? principal : undefined
}

const findHash = async (
  { table }: Services,
  {
    kind,
    userId,
    sid,
    impersonated,
  }: Omit<StoredCredential, 'hash'> & { readonly sid: string; readonly impersonated: number | undefined },
): Promise<string | undefined> => {
  const key = `${userId} ${sid}`
  const known = hashCache.get(key)
  if (known !== undefined) return known
  const stored: readonly { readonly hash: string; readonly switches?: number }[] =
    kind === 'session'
      ? await findSessions(table, userId, sessionsReadPerList)
      : await findApiTokens(table, userId)
  const found = stored.find(
    ({ hash, switches }) => buildSessionId({ hash, switches, impersonated }) === sid,
  )?.hash
  if (found === undefined) return undefined
  if (hashCache.size >= maxCached) hashCache.clear()
  hashCache.set(key, found)
  return found
}
