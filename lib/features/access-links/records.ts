import {
  type SessionLink,
  type SessionRecord,
  sessionCodec,
} from '../../accounts/sessions/stored-session.records.ts'
import { type UserRecord, userKind } from '../../accounts/users/stored-user.records.ts'
import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { accessLinkKey, counterKey, type Key, sessionKey, userKey } from '../../kernel/table/keys/keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { readByIds, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import { decodeParts, listPartKeys, type OrganizationParts } from '../organizations/parts.records.ts'
import { chooseRightsKey } from '../organizations/roles.records.ts'
import { type ActivityRecord, addRecentUse } from './activities.records.ts'
import { buildEasySharingDeletion, buildEasySharingSteps } from './easy-sharing.records.ts'
import { buildIndexItems, recordListing } from './index.records.ts'
import { type AccessLinkRecord, accessLinkKind } from './link.records.ts'

/**
 * Allocates an ID and a time of creation that is never before that of a lower ID. So the order of IDs is also the order
 * of creation, and one index entry serves both. The time is that of the block of IDs, which is up to a second ago.
 */
export const nextAccessLinkId = async (
  table: Table,
  nowMs: number,
): Promise<{ readonly id: number; readonly createdAt: number }> => {
  const { first, at } = await table.nextIds(counterKey('access-token'), 1, nowMs)
  return { id: first, createdAt: at }
}

/** Allocates consecutive IDs for the permissions of a link and returns the first one. */
export const allocateLinkPermissionIds = async (table: Table, count: number): Promise<number> =>
  (await table.nextIds(counterKey('link-permission'), count)).first

/**
 * The steps that create a link: the record, its index items, and with easy sharing its uniqueness record. `replaced` is
 * the link that had this uniqueness record and no longer works.
 */
export const buildAccessLinkSteps = (
  link: AccessLinkRecord,
  replaced?: AccessLinkRecord,
): readonly Step[] => [
  {
    put: { ...accessLinkKind.codec.encode(link), ...accessLinkKey(link.id), ...recordListing(link) },
    condition: isAbsent,
  },
  ...buildIndexItems(link).map((item) => ({ put: item })),
  ...buildEasySharingSteps(link, replaced),
]

/** The steps that delete a link as it was read. They fail if it was deleted, or replaced in easy sharing, since. */
export const buildAccessLinkDeletion = (link: AccessLinkRecord): readonly Step[] => [
  { delete: accessLinkKey(link.id), condition: isPresent },
  ...buildIndexItems(link).map(({ pk, sk }): Step => ({ delete: { pk, sk } })),
  ...buildEasySharingDeletion(link),
]

/** What else changes with the creator of a link: their joining in its organization, and its value if it gets another one. */
export type NewCreatorFields = Partial<Pick<AccessLinkRecord, 'joining' | 'hash' | 'encryptedValue'>>

/**
 * The steps that make another user the creator of a link. They fail if it was deleted or changed hands since it was read.
 * Easy sharing ends, because the new creator may share the object already.
 */
export const buildNewCreatorSteps = (
  link: AccessLinkRecord,
  createdBy: number,
  fields: NewCreatorFields = {},
): readonly Step[] => {
  const placeOf = ({ pk, sk }: Item) => `${pk} ${sk}`
  const [before, after] = [link, { ...link, createdBy }].map(buildIndexItems)
  const kept = new Set(after?.map(placeOf))
  const left = before?.filter((item) => !kept.has(placeOf(item))) ?? []
  const had = new Set(before?.map(placeOf))
  return [
    {
      update: accessLinkKey(link.id),
      changes: (x) => ({
        set: [
          `${x.path('createdBy')} = ${x.value(createdBy)}`,
          `${x.path('easySharing')} = ${x.value(null)}`,
          ...Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
        ],
        condition: `${x.path('createdBy')} = ${x.value(link.createdBy)}`,
      }),
    },
    ...left.map(({ pk, sk }): Step => ({ delete: { pk, sk } })),
    ...(after ?? []).filter((item) => !had.has(placeOf(item))).map((item): Step => ({ put: item })),
    ...buildEasySharingDeletion(link),
  ]
}

/** Uses a batch read, because every function already has the permission for it. */
export const findAccessLink = async (table: Table, id: number): Promise<AccessLinkRecord | undefined> =>
  (await findAccessLinks(table, [id]))[0]

/** The links of these IDs, in their order. Missing ones are undefined. */
export const findAccessLinks = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (AccessLinkRecord | undefined)[]> => readByIds(table, accessLinkKind, ids)

/** The same to list them: unreadable ones are undefined, too. */
export const listAccessLinksByIds = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (AccessLinkRecord | undefined)[]> => readListedByIds(table, accessLinkKind, ids)

/** Whether a link has not expired and has views left. The recipient must be active, too. */
export const isUsable = (
  { expiresAt, view_limit_enabled, view_limit_left }: AccessLinkRecord,
  nowMs: number,
): boolean => !hasExpired({ expiresAt }, nowMs) && (!view_limit_enabled || view_limit_left > 0)

export const hasExpired = ({ expiresAt }: Pick<AccessLinkRecord, 'expiresAt'>, nowMs: number): boolean =>
  expiresAt !== null && expiresAt <= nowMs

/** Uses one view and adds the use. Concurrent uses never exceed the limit. Fails if the link is not usable. */
export const buildViewStep = (link: AccessLinkRecord, use: ActivityRecord): Step => ({
  update: accessLinkKey(link.id),
  changes: (x) => {
    const expiry = x.path('expiresAt')
    // A deleted link does not have the attribute. Then neither comparison holds.
    const isValid = `(${expiry} = ${x.value(null)} OR ${expiry} > ${x.value(use.at)})`
    const { set = [], remove = [] } = addRecentUse(x, link, use)
    if (!link.view_limit_enabled) return { set, remove, condition: isValid }
    const viewsLeft = x.path('view_limit_left')
    return {
      set: [...set, `${viewsLeft} = ${viewsLeft} - ${x.value(1)}`],
      remove,
      condition: `${isValid} AND ${viewsLeft} > ${x.value(0)}`,
    }
  },
})

interface LinkOrigin {
  readonly parts: OrganizationParts | undefined
  readonly link: AccessLinkRecord | undefined
  readonly creator: UserRecord | undefined
  /** In the order of the given hashes. Missing ones are undefined. */
  readonly sessions: readonly (SessionRecord | undefined)[]
}

/** Reads a link, its creator, its organization and these sessions of a user in one call. */
export const findLinkOrigin = async (
  table: Table,
  { id, createdBy, organization }: Pick<SessionLink, 'id' | 'createdBy' | 'organization'>,
  userId: number,
  sessionHashes: readonly string[],
): Promise<LinkOrigin> => {
  const [link, creator, ...others] = await table.getMany([
    accessLinkKey(id),
    userKey(createdBy),
    ...sessionHashes.map((hash) => sessionKey(userId, hash)),
    ...listPlaceKeys({ createdBy, organization }),
  ])
  return {
    link: accessLinkKind.codec.decodeOptional(link),
    creator: userKind.codec.decodeOptional(creator),
    sessions: others.slice(0, sessionHashes.length).map(sessionCodec.decodeOptional),
    parts: organization === undefined ? undefined : decodeParts(others.slice(sessionHashes.length)),
  }
}

interface LinkPlace {
  readonly createdBy: number
  readonly organization?: number | undefined
}

/** The items that say whether the creator of a link may make it in the name of its organization. */
const listPlaceKeys = ({ createdBy, organization }: LinkPlace, rightsKey?: Key): readonly Key[] =>
  organization === undefined ? [] : listPartKeys(createdBy, organization, rightsKey)

interface LinkPeople {
  readonly addressee: UserRecord | undefined
  readonly creator: UserRecord | undefined
  readonly parts: OrganizationParts | undefined
}

/** Reads the recipient and the creator of a link, and its organization, in one call. */
export const findLinkPeople = async (table: Table, link: AccessLinkRecord): Promise<LinkPeople> => {
  const { user, createdBy, organization } = link
  const [addressee, creator, ...parts] = await table.getMany([
    userKey(user),
    userKey(createdBy),
    ...listPlaceKeys(link),
  ])
  return {
    addressee: userKind.codec.decodeOptional(addressee),
    creator: userKind.codec.decodeOptional(creator),
    parts: organization === undefined ? undefined : decodeParts(parts),
  }
}

/** Reads the organizations of links to show them, in the order of the links. Undefined for those without one. */
export const readLinkOrganizations = async (
  table: Table,
  links: readonly LinkPlace[],
): Promise<readonly (OrganizationParts | undefined)[]> => {
  const rightsKey = chooseRightsKey()
  const keys = links.map((link) => listPlaceKeys(link, rightsKey))
  const unique = new Map(keys.flat().map((key) => [`${key.pk} ${key.sk}`, key]))
  const items = await readAll(table, [...unique.values()])
  const found = new Map([...unique.keys()].map((name, at) => [name, items[at]]))
  return keys.map((own) =>
    own.length === 0 ? undefined : decodeParts(own.map(({ pk, sk }) => found.get(`${pk} ${sk}`))),
  )
}
