import { sortableId } from '../../util/sortable-id.ts'
import { connectionKey, connectionSessionsPartition, type Key } from './keys.ts'
import { getShard } from './partitions.ts'

/*
 * What each sign-in through an identity provider writes. A large customer signs in through one provider, so its items are
 * spread over partitions.
 */

/** A power of two below 256, so that the first byte of a hash spreads evenly. */
const shards = 32
const shardNumbers = Array.from({ length: shards }, (_, shard) => shard)

const flowKey = (pk: string, hash: string): Key => ({ pk, sk: `flow#${hash}` })
/** A record of a sign-in or sign-out. It is deleted with its provider. */
export const connectionFlowKey = (providerId: number, hash: string): Key =>
  flowKey(`${connectionKey(providerId).pk}#${getShard(hash, shards)}`, hash)
/** The partitions with such records. */
export const connectionFlowPartitions = (providerId: number): readonly string[] =>
  shardNumbers.map((shard) => `${connectionKey(providerId).pk}#${shard}`)

/** The partition with the markers of sessions of some users, by the hash of the provider's name of a user. */
export const connectionSessionsPartitionOf = (providerId: number, nameIdHash: string): string =>
  `${connectionSessionsPartition(providerId)}#${getShard(nameIdHash, shards)}`

/** The partitions with markers of a provider. */
export const connectionSessionsPartitions = (providerId: number): readonly string[] =>
  shardNumbers.map((shard) => `${connectionSessionsPartition(providerId)}#${shard}`)

export const connectionSessionPrefix = 'session#'
export interface ConnectionSessionName {
  readonly providerId: number
  readonly nameIdHash: string
  readonly userId: number
  readonly hash: string
}
/** The marker of a session. Those of one user follow each other, so that one strongly consistent query finds them. */
export const connectionSessionKey = ({
  providerId,
  nameIdHash,
  userId,
  hash,
}: ConnectionSessionName): Key => ({
  pk: connectionSessionsPartitionOf(providerId, nameIdHash),
  sk: `${connectionSessionPrefix}${nameIdHash}#${sortableId(userId)}#${hash}`,
})
/** When the provider signed a user out, of the session with an index or of all sessions. */
export const connectionSignOutKey = (providerId: number, nameIdHash: string, indexHash: string): Key => ({
  pk: connectionSessionsPartitionOf(providerId, nameIdHash),
  sk: `signed-out#${nameIdHash}#${indexHash}`,
})
const closedKey = (pk: string): Key => ({ pk, sk: 'closed' })
/** Exists once the provider was deleted. No session of these users may be created any more. */
export const connectionClosedKey = (providerId: number, nameIdHash: string): Key =>
  closedKey(connectionSessionsPartitionOf(providerId, nameIdHash))
/** These items for all users. */
export const connectionClosedKeys = (providerId: number): readonly Key[] =>
  shardNumbers.map((shard) => closedKey(`${connectionSessionsPartition(providerId)}#${shard}`))
