import { buildAuditStep } from '../../lib/accounts/events/records.ts'
import { auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'

/** Reads all stored audit events of the months with these times, in order of time. */
export const readAuditItems = async (
  table: Table,
  times: readonly number[] = [Date.now()],
): Promise<readonly Item[]> => {
  const months = new Set(times.map((time) => new Date(time).toISOString().slice(0, 7)))
  const partitions = [...months].flatMap((month) => auditShards.map((shard) => auditPartition(month, shard)))
  const items = (await Promise.all(partitions.map((pk) => table.list(pk, '')))).flat()
  return items.sort((a, b) => (a.sk < b.sk ? -1 : 1))
}

/** Stores events of different users, a millisecond apart from each other. */
export const addAuditEvents = (table: Table, count: number, at: number): Promise<void> =>
  table.transact(
    Array.from({ length: count }, (_, n) =>
      buildAuditStep({
        at: at + n,
        event: 'login.succeeded',
        user: n + 1,
        actor: n + 1,
        address: '192.0.2.1',
        requestId: `request-${n}`,
        target: null,
        outcome: 'succeeded',
      }),
    ),
  )
