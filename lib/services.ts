import { buildMetricFields, createLog, type Log } from './log/log.ts'
import { openVault } from './secrets/encryption.ts'
import type { Vault } from './secrets/vault.ts'
import { type Config, readConfig } from './settings/config.ts'
import { createAuditCompletion } from './store/audit/audit-clock.ts'
import { openTable } from './store/engine/open-table.ts'
import type { Table } from './store/engine/table.ts'

/** The parts that every use case works with. Each process creates them once. */
export interface Services {
  readonly config: Config
  readonly log: Log
  readonly table: Table
  readonly vault: Vault
  /** The time in epoch milliseconds. */
  readonly now: () => number
}

/** @throws Error with the names of missing settings. */
export const createServices = (environment: Readonly<Record<string, string | undefined>>): Services => {
  const config = readConfig(environment)
  const log = createLog(config.logLevel)
  const now = () => Date.now()
  return {
    config,
    log,
    table: openTable({
      tableName: config.tableName,
      endpoint: config.dynamodbEndpoint,
      isEmbeddedEngine: config.hasEmbeddedEngine,
      complete: createAuditCompletion({ tableName: config.tableName, retentionMs: config.auditRetentionMs }),
      reportUnreadable: (error) =>
        log.error('item.unreadable', { error, ...buildMetricFields('ItemUnreadable', { config, now }) }),
    }),
    vault: openVault(config),
    now,
  }
}
