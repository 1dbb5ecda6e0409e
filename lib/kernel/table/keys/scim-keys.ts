import { createHash } from 'node:crypto'
import type { Key } from './keys.ts'
import { partitions } from './partitions.ts'

/*
 * What the directory of a connection sends. People and groups stand in order of their IDs, so one query of the table reads a page. The
 * members of a group, and the groups of a person, have partitions of their own.
 */

const partitionOf = (connectionId: number): string => `${partitions.scim}${connectionId}`
/** A name or an address can be of any length. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const scimPartition = partitionOf

export const scimUserPrefix = 'user#'
export const scimUserKey = (connectionId: number, id: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimUserPrefix}${id}`,
})
/** The one person with a name in the directory. */
export const scimUserNameKey = (connectionId: number, name: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `user-name#${hash(name)}`,
})
export const scimFormerUserPrefix = 'former-user#'
/** A person whom the directory deleted, and whose account remains. */
export const scimFormerUserKey = (connectionId: number, id: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimFormerUserPrefix}${id}`,
})
/** The last deleted person with this name and this ID in the directory. */
export const scimFormerNameKey = (connectionId: number, name: string, externalId: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `former-name#${hash(JSON.stringify([name, externalId]))}`,
})
/** The kinds of resources of a directory. */
export type ScimKind = 'user' | 'group'

export const scimExternalIdPrefix = (kind: ScimKind, externalId: string): string =>
  `external-id#${kind}#${hash(externalId)}#`
/** A resource with an ID of the directory. Several can have the same. */
export const scimExternalIdKey = (
  connectionId: number,
  kind: ScimKind,
  externalId: string,
  id: string,
): Key => ({ pk: partitionOf(connectionId), sk: `${scimExternalIdPrefix(kind, externalId)}${id}` })
export const scimAddressPrefix = (address: string): string => `address#${hash(address)}#`
/** A person with an address. Several can have the same. */
export const scimAddressKey = (connectionId: number, address: string, id: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimAddressPrefix(address)}${id}`,
})
/** Where a sign-in and a request of the directory about the same person meet. */
export const scimMatchKey = (connectionId: number, value: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `match#${hash(value)}`,
})
/** The person of an account at the identity provider. */
export const scimIdentityKey = (connectionId: number, accountHash: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `identity#${accountHash}`,
})
export const scimGroupPrefix = 'group#'
export const scimGroupKey = (connectionId: number, id: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimGroupPrefix}${id}`,
})
/** The one group with a name in the directory. */
export const scimGroupNameKey = (connectionId: number, name: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `group-name#${hash(name)}`,
})
export const scimMemberPrefix = 'member#'
/** A member of a group. */
export const scimMemberKey = (connectionId: number, groupId: string, userId: string): Key => ({
  pk: `${partitionOf(connectionId)}#${groupId}`,
  sk: `${scimMemberPrefix}${userId}`,
})
export const scimMembershipPrefix = 'in-group#'
/** A group of a person. */
export const scimMembershipKey = (connectionId: number, userId: string, groupId: string): Key => ({
  pk: `${partitionOf(connectionId)}#${userId}`,
  sk: `${scimMembershipPrefix}${groupId}`,
})
/** How many people and groups there are, of one shard. */
export const scimCountKey = (connectionId: number, shard: number): Key => ({
  pk: partitionOf(connectionId),
  sk: `count#${shard}`,
})
/** How many people left in a minute, of one shard. */
export const scimLeaverCountKey = (connectionId: number, atMinute: number, shard: number): Key => ({
  pk: partitionOf(connectionId),
  sk: `left#${atMinute}#${shard}`,
})
/** That an email was sent about many leavers, or about one person. */
export const scimNoticeKey = (connectionId: number, subject: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `notice#${subject}`,
})
/** Where the page of a list begins that starts with this number. */
export const scimPlaceKey = (connectionId: number, kind: ScimKind, start: number): Key => ({
  pk: partitionOf(connectionId),
  sk: `place#${kind}#${start}`,
})
export const scimTokenPrefix = 'token#'
/** A token of the directory, by the hash of its value. */
export const scimTokenKey = (connectionId: number, tokenHash: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimTokenPrefix}${tokenHash}`,
})
export const scimTokenCountKey = (connectionId: number): Key => ({
  pk: partitionOf(connectionId),
  sk: 'tokens',
})
export const scimCallPrefix = 'call#'
/** A call of the directory, in order of time. The random ID keeps calls of the same millisecond apart. */
export const scimCallKey = (connectionId: number, at: number, id: string): Key => ({
  pk: partitionOf(connectionId),
  sk: `${scimCallPrefix}${String(at).padStart(15, '0')}#${id}`,
})
export const scimBindingPrefix = 'scim-user#'
/** The person in the directory of a connection whom a user is. */
export const scimBindingKey = (userId: number, connectionId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${scimBindingPrefix}${connectionId}`,
})
