/**
 * Audit events of a month are spread over shards, because each partition takes at most 1,000 writes a second. Each shard
 * has its own chain of hashes. Version 0.1.0 stored all events of a month in one partition, which is a shard of its own.
 */
export const auditShards = ['0', '1', '2', '3', '4', '5', '6', '7', 'unsharded'] as const
export type AuditShard = (typeof auditShards)[number]
