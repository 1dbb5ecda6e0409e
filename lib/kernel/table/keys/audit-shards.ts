/**
 * Audit events of a month are spread over shards, because each partition takes at most 1,000 writes a second. Each shard
 * has its own chain of hashes.
 */
export const auditShards = [
  ...(['0', '1', '2', '3', '4', '5', '6', '7'] as const),
  ...(['8', '9', '10', '11', '12', '13', '14', '15'] as const),
] as const
export type AuditShard = (typeof auditShards)[number]

/** The shard of a new event, by a random number from 0 to 255. */
export const chooseAuditShard = (random: number): AuditShard =>
  auditShards[random % auditShards.length] ?? '0'
