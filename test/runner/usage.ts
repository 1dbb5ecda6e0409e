import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AwsCall } from './authorizer.ts'

/** What a deployment did. */
export interface Usage {
  /** The operations that answered with a success: `GET /api/2/users/{id}`. */
  readonly served: readonly string[]
  /** Allowed calls of AWS services, of which each one used a different set of grants. */
  readonly calls: readonly AwsCall[]
  /** The calls that roles did not allow. */
  readonly denials: readonly string[]
}

const folder = (): string => join(process.env['LATCHKEY_SHARED_FOLDER'] ?? '', 'usage')

/** Stands for the names of all tables, because each deployment has its own. */
export const usageTableName = 'the-table'

/** Adds the usage of a deployment to that of the whole run. */
export const recordUsage = (usage: Usage, tableName: string): void => {
  mkdirSync(folder(), { recursive: true })
  const text = JSON.stringify(usage).replaceAll(tableName, usageTableName)
  writeFileSync(join(folder(), `${randomUUID()}.json`), text)
}

/** The recorded usage of all deployments of this run. */
export const readUsage = (): readonly Usage[] => {
  mkdirSync(folder(), { recursive: true })
  return readdirSync(folder()).map((name) => JSON.parse(readFileSync(join(folder(), name), 'utf8')))
}
