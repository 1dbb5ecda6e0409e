import { createHash } from 'node:crypto'
import { sortableId } from '../../util/sortable-id.ts'
import type { NamedKind } from './keys.ts'
import { getShard, partitions } from './partitions.ts'

/** The connections of each kind have a list. */
export type ConnectionListing = `${string}-connection`
export type ListedKind = 'user' | 'organization' | ConnectionListing | NamedKind

/** The partition of the listing index that lists all records of a kind. */
export const listingPartition = (kind: ListedKind, order: 'id' | 'name'): string =>
  order === 'id' ? kind : `${kind}#by-name`

/** The entry of a record in the listing index, in order of ID. */
export const idListing = (kind: ListedKind, id: number) => ({
  lpk: listingPartition(kind, 'id'),
  lsk: sortableId(id),
})
export const userListing = (id: number) => idListing('user', id)

type Listed = ReturnType<typeof idListing>

/** A sort key of the index has at most 1,024 bytes. */
const maxSortKeyBytes = 1000

/**
 * Adds a text to an entry in order of ID, for reads of the index alone. The order stays, because the ID comes first. A
 * text that is too long is left out.
 */
export const carryText = ({ lpk, lsk }: Listed, text: string): Listed => {
  const carrying = `${lsk}\n${text}`
  return { lpk, lsk: Buffer.byteLength(carrying) > maxSortKeyBytes ? lsk : carrying }
}

/** Splits a sort key of the index into the position of the entry, which ends with an ID, and the text that it carries. */
export const splitCarried = (sortKey: string): { readonly indexKey: string; readonly text?: string } => {
  const [carrying, indexKey] = /^((?:[^\n]*\t)?\d{10})\n/.exec(sortKey) ?? []
  return carrying === undefined || indexKey === undefined
    ? { indexKey: sortKey }
    : { indexKey, text: sortKey.slice(carrying.length) }
}

/** The list of the users who have an account at a provider. */
export const companyAccountListPartition = (providerId: number): string =>
  `${partitions.companyAccountList}${providerId}`

/** The entry of an account at a provider, in order of the user's ID. A user can have several, so each has an end of its own. */
export const companyAccountListing = (providerId: number, userId: number, hash: string) => ({
  lpk: companyAccountListPartition(providerId),
  lsk: `${sortableId(userId)}#${hash.slice(0, 16)}`,
})

/** Characters of a name in its entry. */
const listedNameLength = 200

/**
 * The entry in order of name. It belongs to the marker of the name. A tab sorts before all characters of a name. The
 * name is cut off because a sort key has at most 1,024 bytes, and then the ID decides.
 */
export const nameListing = (kind: ListedKind, normalizedName: string, id: number) => ({
  lpk: listingPartition(kind, 'name'),
  lsk: `${[...normalizedName].slice(0, listedNameLength).join('')}\t${sortableId(id)}`,
})

/** The partition of the listing index that lists the members of a group by name. */
export const groupMemberListPartition = (groupId: number): string => `${partitions.groupMemberList}${groupId}`

/** The entry of a member in the list of a group, in order of username. */
export const memberListing = (groupId: number, normalizedUsername: string, userId: number): Listed => ({
  lpk: groupMemberListPartition(groupId),
  lsk: nameListing('user', normalizedUsername, userId).lsk,
})

/** The normalized name of an entry in order of name. Undefined if it was cut off. */
export const readListedName = (sortKey: string): string | undefined => {
  const name = sortKey.slice(0, -11)
  return [...name].length < listedNameLength ? name : undefined
}

/**
 * Lists in order of time whose entries can come in floods, so they are spread over partitions. One of them takes 1,000
 * writes in a second.
 */
const timedShards = 8
const timedLists = {
  'api-token': partitions.apiTokenList,
  'rate-limited': partitions.rateLimitedList,
  suppressed: partitions.suppressedList,
} as const
export type TimedList = keyof typeof timedLists

/** The entry of an item in a list in order of time. A later time does not change the partition. */
export const timedListing = (list: TimedList, subject: string, atMs: number) => ({
  lpk: `${timedLists[list]}${getShard(subject, timedShards)}`,
  lsk: `${new Date(atMs).toISOString()}#${createHash('sha256').update(subject).digest('base64url').slice(0, 16)}`,
})

/** All partitions of a list in order of time. */
export const timedListPartitions = (list: TimedList): readonly string[] =>
  Array.from({ length: timedShards }, (_, shard) => `${timedLists[list]}${shard}`)

/** Whether a text can be the sort key of an entry in order of time. */
export const isTimedIndexKey = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{16}$/.test(text)

/** The partition of the listing index that lists all access links. Those of shorter lists begin with it and a `#`. */
export const accessLinkList = 'access-token'
