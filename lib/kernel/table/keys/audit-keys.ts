import { type IndexName, keyNamesOf } from '../table.ts'
import { type AuditShard, auditShards, chooseAuditShard } from './audit-shards.ts'
import { type Key, sortableNumber } from './keys.ts'
import { partitions } from './partitions.ts'

/** The partition of a month, such as `2026-01`, in a shard. Its events are in order of time. */
export const auditPartition = (month: string, shard: AuditShard): string =>
  `${partitions.audit}${month}#${shard}`
/** The key of a new event. Its index key begins with its time. The random rest decides about the shard. */
export const auditKey = (indexKey: string): Key => ({
  pk: auditPartition(indexKey.slice(0, 7), findAuditShard(indexKey)),
  sk: indexKey,
})

const findAuditShard = (indexKey: string): AuditShard =>
  chooseAuditShard(Buffer.from(indexKey.slice(-12), 'base64url')[0] ?? 0)

/** Whose events an index finds: the ID of a user or an organization, or the name of a credential. */
export interface EventSubject {
  readonly index: EventIndex
  readonly name: string | number
}

type EventIndex = Exclude<IndexName, 'listing'>

/** How the keys of each index of events begin. */
export const eventIndexPartitions: Readonly<Record<EventIndex, string>> = {
  'events-by-actor': partitions.actorEvents,
  'events-by-credential': partitions.credentialEvents,
  'events-by-organization': partitions.organizationAuditEvents,
}

const eventIndexNames = Object.keys(eventIndexPartitions) as readonly EventIndex[]

/** What an event states about those whose events are found. */
export interface IndexedEvent {
  readonly actor: number | null
  readonly credential?: string | undefined
  readonly credentialId?: number | undefined
  readonly organization?: number | undefined
}

/**
 * The name of a credential among all. Sessions of two users can have the same ID, API tokens cannot. Undefined for a credential
 * without an ID.
 */
export const nameCredential = ({ actor, credential, credentialId }: IndexedEvent): string | undefined => {
  if (credential === undefined || credentialId === undefined) return undefined
  return credential === 'session' ? `session#${actor}#${credentialId}` : `${credential}#${credentialId}`
}

const subjectNames: Readonly<
  Record<EventIndex, (event: IndexedEvent) => string | number | null | undefined>
> = {
  'events-by-actor': ({ actor }) => actor,
  'events-by-credential': nameCredential,
  'events-by-organization': ({ organization }) => organization,
}

/**
 * The keys of an event in the indexes of events, where it has what they find it by. Many people can act in one organization, and many
 * servers with one token. So the keys are spread over the same shards as the events.
 */
export const eventIndexKeys = (event: IndexedEvent, indexKey: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    eventIndexNames.flatMap((index) => {
      const name = subjectNames[index](event)
      const { partitionKey } = keyNamesOf(index)
      return name == null
        ? []
        : [[partitionKey, nameIndexPartition({ index, name }, findAuditShard(indexKey))]]
    }),
  )

/** The partitions of an index that have the events of a subject. */
export const eventPartitions = (subject: EventSubject): readonly string[] =>
  auditShards.map((shard) => nameIndexPartition(subject, shard))

const nameIndexPartition = ({ index, name }: EventSubject, shard: AuditShard): string =>
  `${eventIndexPartitions[index]}${name}#${shard}`
/** The chain of a shard: its head, and its blocks in order. */
export const auditChainPartition = (shard: AuditShard): string => `${partitions.auditChain}${shard}`
export const auditChainHeadKey = (shard: AuditShard): Key => ({ pk: auditChainPartition(shard), sk: 'head' })
export const auditBlockKey = (shard: AuditShard, number: number): Key => ({
  pk: auditChainPartition(shard),
  sk: `block#${sortableNumber(number)}`,
})
export const auditCheckpointKey = (number: number): Key => ({
  pk: partitions.auditCheckpoints,
  sk: `checkpoint#${sortableNumber(number)}`,
})
export const auditListing = (user: number, indexKey: string) => ({
  lpk: `${partitions.audit}${user}`,
  lsk: indexKey,
})
/** A part of what a chain of audit events counted in a month, such as `2026-01`. */
export const activityKey = (shard: AuditShard, month: string, part: number): Key => ({
  pk: activityPartition(shard),
  sk: `${activityPrefix}${month}#${sortableNumber(part)}`,
})
export const activityPartition = (shard: AuditShard): string => `${partitions.activity}${shard}`
export const activityPrefix = 'month#'
/** How far the archive of audit events is. */
export const auditArchiveKey: Key = { pk: partitions.auditArchive, sk: 'progress' }
/** Which partitions of past months have no audit events. */
export const auditSurveyKey: Key = { pk: partitions.auditSurvey, sk: 'audit-survey' }
