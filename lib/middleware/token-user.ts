import { AccessError } from './access-error.ts'
import type { Actor, CredentialKind, User, UserOrganization } from './user.ts'

/**
 * The claims of a verified token.
 *
 * @example
 * ```ts
 * import type { TokenUser } from '@latchkey/middleware'
 *
 * export const readSubject = ({ claims }: TokenUser) => claims['sub']
 * ```
 */
export type TokenClaims = Readonly<Record<string, unknown>>

/**
 * The user who calls, with what only tokens state.
 *
 * @example
 * ```ts
 * import type { TokenUser } from '@latchkey/middleware'
 *
 * export const describe = ({ username, claims }: TokenUser) => `${username} from ${claims['iss']}`
 * ```
 */
export interface TokenUser extends Omit<User, 'username' | 'actor'> {
  /**
   * The name to sign in with. It can change. Undefined if the client did not ask for the scope `profile`. For a machine, it is the
   * `client_id`.
   */
  readonly username: string | undefined
  /** The administrator who impersonates the user. Tokens of clients do not state the name. */
  readonly actor: (Omit<Actor, 'username'> & Partial<Actor>) | undefined
  /** The names of the user's groups. They can change. */
  readonly groups: readonly string[]
  /** The ID of the access link that a guest came by. Undefined for other users. */
  readonly accessLink: number | undefined
  readonly claims: TokenClaims
}

const isObject = (value: unknown): value is TokenClaims => typeof value === 'object' && value !== null
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const reject = (claim: string): never => {
  throw new AccessError('invalidToken', { claim })
}

/** The ID of a user here. `sub` is another one if the client knows its users by the IDs of another system. */
const readId = ({ sub, user_id }: TokenClaims): number => {
  const value = user_id ?? sub
  return typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)
    ? Number(value)
    : reject(user_id === undefined ? 'sub' : 'user_id')
}

const readName = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : reject('preferred_username')

const readOptionalName = (value: unknown): string | undefined =>
  value === undefined ? undefined : readName(value)

const readActor = (value: unknown): TokenUser['actor'] => {
  if (value === undefined) return undefined
  if (!isObject(value)) return reject('act')
  const username = readOptionalName(value['preferred_username'])
  return { id: readId(value), ...(username !== undefined && { username }) }
}

const readAccessLink = (value: unknown): number | undefined =>
  value === undefined || Number.isSafeInteger(value) ? (value as number | undefined) : reject('access_link')

const readOrganization = (claims: TokenClaims): UserOrganization | undefined => {
  const { org_id: id, org_slug: slug, org_name: name, org_roles: roles = [] } = claims
  const { org_permissions: permissions } = claims
  // A permission without the organization where it counts would count anywhere.
  if (id === undefined) return permissions === undefined ? undefined : reject('org_permissions')
  if (typeof id !== 'string' || !/^[1-9]\d{0,14}$/.test(id)) return reject('org_id')
  if (typeof slug !== 'string') return reject('org_slug')
  if (typeof name !== 'string') return reject('org_name')
  return {
    id,
    slug,
    name,
    roles: isTexts(roles) ? roles : reject('org_roles'),
    permissions: isTexts(permissions) ? permissions : reject('org_permissions'),
  }
}

const nameKind = ({ access_link, auth_time }: TokenClaims): CredentialKind => {
  if (access_link !== undefined) return 'access_link'
  // API tokens do not sign in, so their tokens have no time of a sign-in.
  return auth_time === undefined ? 'api_token' : 'session'
}

/** Whether a client got the token for itself: it is the subject, and there is no session. */
const isMachine = ({ sub, client_id: id, sid }: TokenClaims): boolean =>
  sid === undefined && sub === `client:${id}`

/** Reads who a verified token is about. @throws AccessError if a claim is missing or has another form */
export const readTokenUser = (claims: TokenClaims): TokenUser => {
  const { preferred_username, permissions, groups, act, access_link } = claims
  if (!isTexts(permissions)) return reject('permissions')
  if (claims['org_id'] !== undefined && permissions.length > 0) return reject('permissions')
  if (isMachine(claims)) return describeMachine(claims, permissions)
  if (!isTexts(groups)) return reject('groups')
  return {
    id: readId(claims),
    username: readOptionalName(preferred_username),
    permissions,
    groups,
    actor: readActor(act),
    kind: nameKind(claims),
    accessLink: readAccessLink(access_link),
    organization: readOrganization(claims),
    claims,
  }
}

const describeMachine = (claims: TokenClaims, permissions: readonly string[]): TokenUser => {
  for (const name of ['act', 'access_link', 'auth_time', 'preferred_username'])
    if (claims[name] !== undefined) reject(name)
  return {
    id: 0,
    username: readName(claims['client_id']),
    permissions,
    groups: [],
    actor: undefined,
    kind: 'machine',
    accessLink: undefined,
    organization: readOrganization(claims),
    claims,
  }
}
