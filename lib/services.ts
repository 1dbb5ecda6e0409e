import { createAuditCompletion } from './accounts/events/clock.records.ts'
import { buildMetricFields, createLog, type Log } from './kernel/log/log.ts'
import { openVault } from './kernel/secrets/encryption.ts'
import type { Vault } from './kernel/secrets/vault.ts'
import { type Config, readConfig } from './kernel/settings/config.ts'
import { openTable } from './kernel/table/open-table.ts'
import type { Table } from './kernel/table/table.ts'

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
      timeoutMs: config.tableTimeoutMs,
      complete: createAuditCompletion({
        tableName: config.tableName,
        retentionMs: config.auditRetentionMs,
        personalMs: config.auditPersonalMs,
      }),
      reportUnreadable: (error) =>
        log.error('item.unreadable', { error, ...buildMetricFields('ItemUnreadable', { config, now }) }),
    }),
    vault: openVault(config),
    now,
  }
}
