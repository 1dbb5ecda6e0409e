import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buildCommandContext } from '../../lib/accounts/callers/request-context.ts'
import { writeAudit } from '../../lib/accounts/events/write-event.ts'
import { findHoldingRecord, holdingRecords } from '../../lib/features/leaked-credentials/holdings.records.ts'
import { writeCallBody } from '../../lib/kernel/table/call-body.ts'
import { companyMembershipsPrefix, vaultCanaryKey } from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { openTableScan, type ScanPage } from '../../lib/kernel/table/table-scan.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { endInterrupted, exitCodes } from '../exit-codes.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import type { TableCommand } from './command.ts'
import { mapSecrets } from './move-secrets.ts'

type ExportCommand = Extract<TableCommand, { name: 'export' }>

/** Writes everything that a service is into a file, with its secrets. Returns the exit code. */
export const runExport = async ({ table, file }: ExportCommand, signal: AbortSignal): Promise<number> => {
  if (existsSync(file)) throw createExistsFailure(file)
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  let count = 0
  async function* countLines(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      count += 1
      yield line
    }
  }
  try {
    await auditExport(services)
    await writeNewFile(Readable.from(countLines(exportItems(services))), file, signal)
    // The header is no item.
    process.stdout.write(`${formatNumber(count - 1)} items exported.\n`)
    return exitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'Nothing was written.')
  } finally {
    await close()
  }
}

async function* exportItems({ config, vault, now }: Services): AsyncGenerator<string> {
  const header: ExportHeader = {
    format: 'latchkey-table',
    version: 1,
    exported_at: new Date(now()).toISOString(),
  }
  yield `${JSON.stringify(header)}\n`
  const scan = openTableScan({ tableName: config.tableName, endpoint: config.dynamodbEndpoint })
  let next: ScanPage['next']
  do {
    const start = next
    const page = await retryThrottled(() => scan.readPage({ number: 0, count: 1 }, start, itemsPerPage))
    const kept = page.items.filter(isExported).map(withoutRefreshToken)
    const plain = await Promise.all(kept.map((item) => mapSecrets(item, vault.decrypt)))
    for (const item of plain) yield writeItemLine(item)
    next = page.next
  } while (next)
}

const itemsPerPage = 100

/** Only the service that got it from a provider revokes it there. A person gets another one at the next sign-in. */
const withoutRefreshToken = ({ refreshToken, ...item }: Item): Item =>
  item.sk?.startsWith(companyMembershipsPrefix) || refreshToken === undefined
    ? item
    : { ...item, refreshToken }

/** Anyone with the file has the service, so the audit log records it before the first line. */
const auditExport = (services: Services): Promise<void> =>
  writeAudit(services, buildCommandContext(services.now(), `export-${randomUUID()}`), 'users.exported', {})

/*
 * The file of an export has one JSON document on each line: first the header, then items in the form of DynamoDB's own exports,
 * `{"Item": {"pk": {"S": "…"}}}`. Secrets that the vault encrypts are plain text in it, because another service has another vault.
 */

/** The first line. `version` increases when a reader of the file has to change. */
interface ExportHeader {
  readonly format: 'latchkey-table'
  readonly version: 1
  /** ISO 8601, UTC. */
  readonly exported_at: string
}

type Partition = keyof typeof partitions

/** What stays with the service where it happened: sessions and what hangs on them, jobs, limits, signing keys, and the audit log. */
const leftBehind: ReadonlySet<Partition> = new Set([
  ...(['audit', 'auditArchive', 'auditChain', 'auditCheckpoints', 'auditSurvey', 'deletedUser'] as const),
  ...([
    'emailCode',
    'loginPair',
    'passkeyChallenge',
    'rate',
    'ticket',
    'connectionSessions',
    'signUpLink',
    'usedProof',
  ] as const),
  ...(['oauthAssertion', 'oauthCode', 'oauthDevice', 'oauthGrant', 'oauthInteraction'] as const),
  ...(['oauthPushedRequest', 'oauthRefreshToken', 'oauthRevokedToken'] as const),
  ...(['linkMail', 'logoutJobs', 'outbox', 'privateSigningKeys', 'signingKeys'] as const),
  // Of indexes alone.
  ...(['actorEvents', 'credentialEvents', 'organizationAuditEvents'] as const),
  ...(['apiTokenList', 'rateLimitedList', 'companyAccountList', 'suppressedList'] as const),
  ...(['organizationInvitationList', 'organizationMemberList'] as const),
  // Parts of the audit log.
  'organizationEvents',
] satisfies readonly Partition[])

/** Longer names first, so that `oidc-client-name#` is not taken for `oidc-client`. */
const byLength = (Object.entries(partitions) as [Partition, string][]).sort(
  ([, a], [, b]) => b.length - a.length,
)

/** Whether an item is part of an export: what a service is, and not what it does at the moment. */
export const isExported = ({ pk, sk }: Pick<Item, 'pk' | 'sk'>): boolean => {
  if (pk === vaultCanaryKey.pk) return false
  const record = findHoldingRecord({ pk, sk })
  if (record) return holdingRecords[record].isExported
  const [partition] =
    byLength.find(([, name]) => (name.endsWith('#') ? pk.startsWith(name) : pk === name)) ?? []
  return partition !== undefined && !leftBehind.has(partition)
}

/** Writes an item as a line. Equal items are equal lines, although the table returns their attributes in any order. */
const writeItemLine = (item: Item): string => `${writeCallBody({ Item: sortDeep(item) })}\n`

const sortDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (value instanceof Set) return new Set([...value].sort())
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, part]) => [name, sortDeep(part)]))
}
