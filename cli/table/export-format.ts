import { writeCallBody } from '../../lib/store/engine/call-body.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import {
  privateSigningKeyPrefix,
  sessionPrefix,
  signingKeyPrefix,
  vaultCanaryKey,
} from '../../lib/store/keys/keys.ts'
import { partitions } from '../../lib/store/keys/partitions.ts'

/*
 * The file of an export has one JSON document on each line: first the header, then items in the form of DynamoDB's own exports,
 * `{"Item": {"pk": {"S": "…"}}}`. Secrets that the vault encrypts are plain text in it, because another service has another vault.
 */

/** The first line. `version` increases when a reader of the file has to change. */
export interface ExportHeader {
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
    'samlSessions',
    'signUpLink',
  ] as const),
  ...(['oidcAssertion', 'oidcCode', 'oidcDevice', 'oidcGrant', 'oidcInteraction'] as const),
  ...(['oidcPushedRequest', 'oidcRefreshToken', 'oidcRevokedToken'] as const),
  ...(['linkMail', 'logoutJobs', 'outbox', 'privateSigningKeys', 'signingKeys'] as const),
  // Of the listing index alone.
  ...(['apiTokenList', 'rateLimitedList', 'samlAccountList', 'suppressedList'] as const),
] satisfies readonly Partition[])

const leftSortKeys = [
  ...[sessionPrefix, 'reset#', 'security-report#', 'second-factor#'],
  ...['flow#', signingKeyPrefix, privateSigningKeyPrefix],
]

/** Longer names first, so that `oidc-client-name#` is not taken for `oidc-client`. */
const byLength = (Object.entries(partitions) as [Partition, string][]).sort(
  ([, a], [, b]) => b.length - a.length,
)

/** Whether an item is part of an export: what a service is, and not what it does at the moment. */
export const isExported = ({ pk, sk }: Pick<Item, 'pk' | 'sk'>): boolean => {
  if (pk === vaultCanaryKey.pk) return false
  const [partition] =
    byLength.find(([, name]) => (name.endsWith('#') ? pk.startsWith(name) : pk === name)) ?? []
  if (partition === undefined || leftBehind.has(partition)) return false
  return !leftSortKeys.some((prefix) => sk.startsWith(prefix))
}

/** Writes an item as a line. Equal items are equal lines, although the table returns their attributes in any order. */
export const writeItemLine = (item: Item): string => `${writeCallBody({ Item: sortDeep(item) })}\n`

const sortDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (value instanceof Set) return new Set([...value].sort())
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, part]) => [name, sortDeep(part)]))
}
