import { forgetAuditProgress, noteAuditProgress } from '../../accounts/events/clock.records.ts'
import { auditChainHeadKey } from '../../kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import type { Table } from '../../kernel/table/table.ts'
import { chainHeadCodec } from './chain.records.ts'
import { timeOf } from './shard-events.records.ts'

/**
 * Reads how far the chains are. Local mode does it at the start, because the clock can have been ahead before. On AWS, the times
 * in the answers of DynamoDB do as much.
 */
export const startAuditClock = async (table: Table, tableName: string): Promise<void> => {
  const items = await table.getMany(auditShards.map((shard) => auditChainHeadKey(shard)))
  const times = items.flatMap((item) => (item ? [timeOf(chainHeadCodec.decode(item).cursor)] : []))
  forgetAuditProgress(tableName)
  noteAuditProgress(tableName, Math.max(0, ...times))
}
