import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAuditClock } from '../../lib/features/audit/start-clock.records.ts'
import { createLog } from '../../lib/kernel/log/log.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import type { Json } from './client.ts'
import { readItems, restoreItems } from './table-copies.ts'

export interface AuditTable {
  readonly services: Services
  /** Moves the clock, in milliseconds. */
  readonly passTime: (ms: number) => void
  /** The lines that the services have logged. */
  readonly log: () => readonly Json[]
  /** Remembers all items, and the time. */
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
  let saved = { now, items: await readItems(tableName) }
  return {
    services,
    passTime: (ms) => {
      now += ms
    },
    log: () => lines,
    save: async () => {
      saved = { now, items: await readItems(tableName) }
    },
    restore: async () => {
      await restoreItems({ services, tableName }, saved.items)
      now = saved.now
      await startAuditClock(services.table, tableName)
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
