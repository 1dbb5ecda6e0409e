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

type EventIndex = Exclude<IndexName, 'listing'>

/** How the keys of each index of events begin. */
export const eventIndexPartitions: Readonly<Record<EventIndex, string>> = {
  'events-by-actor': partitions.actorEvents,
  'events-by-credential': partitions.credentialEvents,
  'events-by-organization': partitions.organizationAuditEvents,
}

/** What an event states about those whose events are found. */
export interface IndexedEvent {
  readonly user: number | null
  readonly actor: number | null
  readonly credential?: string | undefined
  readonly credentialId?: number | undefined
  readonly organization?: number | undefined
}

/**
 * The name of a credential whose events an index finds. Undefined for one without an ID, and for a session: its events are among those
 * of its user, so sign-ins and tickets need no further write unit.
 */
export const nameIndexedCredential = ({
  credential,
  credentialId,
}: Pick<IndexedEvent, 'credential' | 'credentialId'>): string | undefined =>
  credential === undefined || credential === 'session' || credentialId === undefined
    ? undefined
    : `${credential}#${credentialId}`

const subjectNames: Readonly<
  Record<EventIndex, (event: IndexedEvent) => string | number | null | undefined>
> = {
  // What people do themselves is in their list in the listing index.
  'events-by-actor': ({ actor, user }) => (actor === user ? undefined : actor),
  'events-by-credential': nameIndexedCredential,
  'events-by-organization': ({ organization }) => organization,
}

/**
 * The keys of an event in the indexes that find it. Many people can act in one organization, and many servers with one token. So keys
 * of the indexes of events are spread over the same shards as the events.
 */
export const eventIndexKeys = (event: IndexedEvent, indexKey: string): Readonly<Record<string, string>> => ({
  ...(event.user === null
    ? {}
    : { lpk: userEventsPartition(event.user, { isOwn: event.actor === event.user }), lsk: indexKey }),
  ...Object.fromEntries(
    Object.entries(subjectNames).flatMap(([index, findName]) => {
      const name = findName(event)
      const subject = { index: index as EventIndex, name: name ?? '' }
      return name == null
        ? []
        : [[keyNamesOf(subject.index).partitionKey, nameIndexPartition(subject, findAuditShard(indexKey))]]
    }),
  ),
})

/** The list of the events about a user in the listing index: of what they did themselves, or of what others did. */
const userEventsPartition = (user: number, { isOwn }: { readonly isOwn: boolean }): string =>
  `${partitions.audit}${user}${isOwn ? '#own' : ''}`

/** A list of events in an index. */
export interface EventList {
  readonly pk: string
  readonly index: IndexName
  /** Whether it is one of many, over which the events are spread at random. */
  readonly isShard: boolean
}

/** The lists that together have all events about a user. */
export const listUserEvents = (user: number): readonly EventList[] =>
  [true, false].map((isOwn) => ({
    pk: userEventsPartition(user, { isOwn }),
    index: 'listing',
    isShard: false,
  }))

/** The lists that together have all events that a user caused. */
export const listActorEvents = (actor: number): readonly EventList[] => [
  { pk: userEventsPartition(actor, { isOwn: true }), index: 'listing', isShard: false },
  ...listShards({ index: 'events-by-actor', name: actor }),
]

/** The lists of the events of callers with a credential. */
export const listCredentialEvents = (name: string): readonly EventList[] =>
  listShards({ index: 'events-by-credential', name })

/** The lists of the events about an organization. */
export const listOrganizationEvents = (organization: number): readonly EventList[] =>
  listShards({ index: 'events-by-organization', name: organization })

interface EventSubject {
  readonly index: EventIndex
  readonly name: string | number
}

const listShards = (subject: EventSubject): readonly EventList[] =>
  auditShards.map((shard) => ({
    pk: nameIndexPartition(subject, shard),
    index: subject.index,
    isShard: true,
  }))

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
