import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../lib/log/log.ts'
import { createServices, type Services } from '../../lib/services.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { auditChainPartition, auditShards } from '../../lib/store/keys/audit-keys.ts'
import { partitions } from '../../lib/store/keys/partitions.ts'
import { createTable } from '../../local/dynamodb.ts'
import { readAuditItems } from './audit-items.ts'
import type { Json } from './client.ts'

export interface AuditTable {
  readonly services: Services
  /** Moves the clock, in milliseconds. */
  readonly passTime: (ms: number) => void
  /** The lines that the services have logged. */
  readonly log: () => readonly Json[]
  /** Remembers all items with audit events and chains, and the time. */
  readonly save: () => Promise<void>
  /** Goes back to what was saved. */
  readonly restore: () => Promise<void>
  readonly close: () => void
}

/** A table with audit events and their chains, without the rest of the service. Its clock starts at a time and stands still. */
export const startAuditTable = async (startedAt: number): Promise<AuditTable> => {
  const { DYNAMODB_ENDPOINT } = process.env
  if (!DYNAMODB_ENDPOINT) throw new Error('DYNAMODB_ENDPOINT is not set')
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-'))
  const tableName = `latchkey-${randomUUID()}`
  await createTable(DYNAMODB_ENDPOINT, tableName)
  let now = startedAt
  const lines: Json[] = []
  const services = {
    ...createServices({
      ...process.env,
      TABLE_NAME: tableName,
      PUBLIC_URL: 'http://127.0.0.1',
      LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key'),
    }),
    log: createLog('info', (line) => lines.push(JSON.parse(line))),
    now: () => now,
  }
  const { table } = services
  const readEverything = async (): Promise<ReadonlyMap<string, Item>> => {
    const chains = [...auditShards.map(auditChainPartition), partitions.auditCheckpoints]
    const lists = await Promise.all([
      readAuditItems(table, [startedAt, now]),
      ...chains.map((pk) => table.list(pk, '')),
    ])
    return new Map(lists.flat().map((item) => [`${item.pk} ${item.sk}`, item]))
  }
  let saved = { now, items: await readEverything() }
  return {
    services,
    passTime: (ms) => {
      now += ms
    },
    log: () => lines,
    save: async () => {
      saved = { now, items: await readEverything() }
    },
    restore: async () => {
      const current = await readEverything()
      const added = [...current]
        .filter(([key]) => !saved.items.has(key))
        .map(([, { pk, sk }]) => ({ pk, sk }))
      const changed = [...saved.items].filter(
        ([key, item]) => JSON.stringify(item) !== JSON.stringify(current.get(key)),
      )
      const steps = [...added.map((key) => ({ delete: key })), ...changed.map(([, item]) => ({ put: item }))]
      for (let from = 0; from < steps.length; from += 100) await table.transact(steps.slice(from, from + 100))
      now = saved.now
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
