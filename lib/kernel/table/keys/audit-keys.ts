import { type AuditShard, chooseAuditShard } from './audit-shards.ts'
import { type Key, sortableNumber } from './keys.ts'
import { partitions } from './partitions.ts'

/** The partition of a month, such as `2026-01`, in a shard. Its events are in order of time. */
export const auditPartition = (month: string, shard: AuditShard): string =>
  `${partitions.audit}${month}#${shard}`
/** The key of a new event. Its index key begins with its time. The random rest decides about the shard. */
export const auditKey = (indexKey: string): Key => {
  const random = Buffer.from(indexKey.slice(-12), 'base64url')[0] ?? 0
  return { pk: auditPartition(indexKey.slice(0, 7), chooseAuditShard(random)), sk: indexKey }
}
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
