import { eventIndexPartitions } from '../../lib/kernel/table/keys/audit-keys.ts'
import {
  type CountedKind,
  counterKey,
  dataKeyKey,
  signInPolicyKey,
} from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { IndexName } from '../../lib/kernel/table/table.ts'

type ItemAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem'

/**
 * The partition keys of the items that each action may be used on. A transaction needs the action of each of its steps.
 * A text that ends with `#` stands for all keys that begin with it, any other text for one key.
 */
export type TableGrant = Readonly<Partial<Record<ItemAction, readonly string[]>>>

export interface Grant {
  readonly table: TableGrant
  /** The partitions of the listing index that the function may query. */
  readonly index?: readonly string[]
  /** Whether the function may query the indexes of audit events. */
  readonly readsEventIndexes?: boolean
  /** The purposes in the encryption context for which each action with the vault key is allowed. */
  readonly vault?: Readonly<Partial<Record<'Decrypt' | 'Encrypt', readonly VaultPurpose[]>>>
}

export type VaultPurpose = 'totp' | 'access_token' | 'connection' | 'signing-key' | 'proof_of_work' | 'health'

const {
  accessLink,
  activeUsers,
  apiToken,
  audit,
  configuration,
  connection,
  connectionDomain,
  deletedUser,
  easySharing,
  email,
  emailClaims,
  group,
  guest,
  guestEmail,
  logoutJobs,
  organization,
  organizationRights,
  rate,
  connectionSessions,
  totals,
  user,
  username,
} = partitions

const challengeKeys = dataKeyKey('proof_of_work', '').pk

/** The partitions of each index that a function may query. Others are left out. */
export const listIndexGrants = ({
  index = [],
  readsEventIndexes = false,
}: Grant): readonly (readonly [name: IndexName, partitions: readonly string[]])[] => {
  const ofEvents = Object.entries(eventIndexPartitions) as readonly [IndexName, string][]
  return [
    ...(index.length > 0 ? [['listing', index] as const] : []),
    ...(readsEventIndexes ? ofEvents.map(([name, prefix]) => [name, [prefix]] as const) : []),
  ]
}

/** The pattern of a condition for the partition keys that a text of a grant stands for. */
export const keyPatternOf = (text: string): string => (text.endsWith('#') ? `${text}*` : text)

/** A grant of everything that any of the grants allows. */
export const combine = (...grants: readonly TableGrant[]): TableGrant => {
  const combined = new Map<string, readonly string[]>()
  for (const grant of grants)
    for (const [action, keys] of Object.entries(grant))
      combined.set(action, [...new Set([...(combined.get(action) ?? []), ...keys])].sort())
  return Object.fromEntries(combined)
}

/** Whether the latest proof in a session would sign its user in now. The groups are read with the session. */
export const recentProof: TableGrant = {
  BatchGetItem: [group],
  GetItem: [connection, connectionDomain, signInPolicyKey.pk],
}

/** Whether a session of an access link still works, also one in the name of an organization. */
const linkSessions = [accessLink, organization, organizationRights]

/** Finding the user of a session, also one who an administrator acts as, and the time when they were last seen. */
export const sessionAuthentication: TableGrant = {
  BatchGetItem: [...linkSessions, group, user],
  GetItem: [user],
  UpdateItem: [activeUsers, user],
}

/**
 * Authentication reads the session with its user, impersonated user, access link and groups, and updates when they were
 * last seen, which counts them on a new day. A custom API token has a marker. If the answer to an update was lost, the item is read again.
 */
export const authentication: TableGrant = {
  BatchGetItem: [...linkSessions, group, user],
  GetItem: [apiToken, user],
  UpdateItem: [activeUsers, user],
}

/** Counting against a rate limit. */
export const throttling: TableGrant = { GetItem: [rate], UpdateItem: [rate] }

/** Asking for a proof of work, and using one. The key that signs challenges is created when it is needed. */
export const proofOfWork: TableGrant = {
  GetItem: [challengeKeys],
  PutItem: [challengeKeys, partitions.usedProof],
}
export const proofOfWorkKey = ['proof_of_work'] as const satisfies readonly VaultPurpose[]

/** Changing what a configuration document can manage, which is refused with its name. */
export const sealing: TableGrant = { ConditionCheckItem: [configuration], GetItem: [configuration] }

/** Giving IDs to new items from a counter of their kind. Users and groups are counted in totals as well. */
export const newIds = (...kinds: readonly CountedKind[]): TableGrant => {
  const counters = kinds.map((kind) => counterKey(kind).pk)
  const isCounted = kinds.some((kind) => kind === 'user' || kind === 'group')
  return { GetItem: counters, UpdateItem: [...counters, ...(isCounted ? [totals] : [])] }
}

/** Changing names and addresses of users, which are unique. A new account can replace a guest. */
export const userNames: TableGrant = {
  BatchGetItem: [email, guestEmail, user, username],
  ConditionCheckItem: [email, guestEmail, username],
  DeleteItem: [email, emailClaims, guest, guestEmail, username],
  PutItem: [email, emailClaims, guest, guestEmail, user, username],
  UpdateItem: [totals, user],
}

/** Changing the groups of users. Groups with permissions are changed as well, so that a race does not give permissions. */
export const memberships: TableGrant = {
  BatchGetItem: [group],
  ConditionCheckItem: [group],
  DeleteItem: [group],
  PutItem: [group],
  UpdateItem: [group],
}

/** Deleting access links, together with guests that have no other link, and with the names of such guests. */
export const linkDeletion: TableGrant = {
  BatchGetItem: [accessLink, user],
  DeleteItem: [accessLink, easySharing, email, guest, guestEmail, user, username],
  GetItem: [accessLink, user],
  PutItem: [audit, deletedUser],
  Query: [accessLink, user],
  UpdateItem: [totals],
}

/** Ending sessions, also those that identity providers or OpenID Connect clients know. */
export const sessionEnd: TableGrant = {
  DeleteItem: [connectionSessions, user],
  PutItem: [logoutJobs],
  UpdateItem: [user],
}
