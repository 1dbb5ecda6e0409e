import { buildAuditStep } from '../audit/audit.ts'
import { userKind } from '../directory/user-record.ts'
import { isPresent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { apiTokenPrefix, type Key, passkeyMarkerKey, passkeyPrefix, userKey } from '../keys/keys.ts'
import { partitions } from '../keys/partitions.ts'
import { accessTokenKind } from '../links/access-token-record.ts'
import { buildExpiryItems } from '../links/token-index.ts'
import { buildUserLogoutSteps } from '../oidc/logout-job-record.ts'
import { passkeyCodec } from '../sign-in/passkey-record.ts'
import { changeItem } from './change-item.ts'
import { type EndOptions, endCredentials, isOneTime } from './end-credentials.ts'

/** What was ended, in the words of the summary. */
export type EndedKind = 'users' | 'one-time items' | 'API tokens' | 'access links' | 'passkeys' | 'counters'

export interface EndTarget {
  readonly table: Table
  /** The table that a restored one replaces. What was ended there since ends again. */
  readonly replaced: Table | undefined
  readonly options: EndOptions
  readonly isDryRun: boolean
  /** Identifies the run in the audit events. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** An item that changes more often than this during one attempt is left to the next run. */
const attempts = 8

/** Ends what an item grants. Returns undefined if it grants nothing. @throws Error if the item keeps changing. */
export const applyEnd = async (target: EndTarget, found: Item): Promise<EndedKind | undefined> => {
  const kind = findKind(found)
  if (!kind) return undefined
  let item: Item | undefined = found
  for (let attempt = 0; attempt < attempts && item; attempt++) {
    const replaced = await readReplaced(target, item, kind)
    const isEnding =
      kind === 'passkeys' ? replaced === null : endCredentials(item, target.options, replaced) !== item
    if (!isEnding) return undefined
    if (target.isDryRun || (await write(target, item, kind, replaced))) return kind
    item = await target.table.get(keyOf(item))
  }
  if (item) throw new Error('An item kept changing. Run the same command again.')
  return undefined
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })

const findKind = (item: Item): EndedKind | undefined => {
  const { pk, sk } = item
  if (isOneTime(item)) return 'one-time items'
  if (sk === 'user') return 'users'
  if (sk === 'access-token') return 'access links'
  if (sk === 'counter') return 'counters'
  if (sk.startsWith(passkeyPrefix)) return 'passkeys'
  return sk.startsWith(apiTokenPrefix) || pk.startsWith(partitions.apiToken) ? 'API tokens' : undefined
}

const readReplaced = async (
  { replaced }: EndTarget,
  item: Item,
  kind: EndedKind,
): Promise<Item | null | undefined> =>
  replaced && kind !== 'one-time items' ? ((await replaced.get(keyOf(item))) ?? null) : undefined

const write = async (
  { table, options, requestId, nowMs }: EndTarget,
  item: Item,
  kind: EndedKind,
  replaced: Item | null | undefined,
): Promise<boolean> => {
  if (kind === 'passkeys') return deletePasskey(table, item)
  const after = endCredentials(item, options, replaced)
  if (after) {
    const auditSteps = kind === 'users' ? [buildEndedStep(item, requestId, nowMs)] : []
    const listSteps = kind === 'access links' ? buildExpirySteps(after) : []
    const logoutSteps = kind === 'users' ? buildUserLogoutSteps(userKind.codec.decode(item)) : []
    return changeItem(table, item, after, [...auditSteps, ...listSteps, ...logoutSteps])
  }
  await table.transact([{ delete: keyOf(item) }])
  return true
}

/** Moves an access link in the lists that are in order of expiration. */
const buildExpirySteps = (link: Item): readonly Step[] =>
  buildExpiryItems(accessTokenKind.codec.decode(link)).map((entry) => ({ put: entry }))

/** The event by which the user and administrators see why sessions ended. AWS knows who ran the command. */
const buildEndedStep = (user: Item, requestId: string, nowMs: number): Step =>
  buildAuditStep({
    ...{ at: nowMs, requestId, address: 'command line', actor: null, outcome: 'succeeded' },
    ...{ event: 'session.ended', user: userKind.codec.decode(user).id, target: 'all' },
  })

/** Deletes a passkey with its marker, and counts it in the user. Fails if the user was changed concurrently. */
const deletePasskey = async (table: Table, item: Item): Promise<boolean> => {
  const { userId, hash } = passkeyCodec.decode(item)
  const user = await table.get(userKey(userId))
  const { count = 1 } = (user?.['passkeys'] ?? {}) as { readonly count?: number }
  const countStep: Step = {
    update: userKey(userId),
    changes: (x) => ({
      set: [
        `${x.path('passkeys', 'count')} = ${x.value(Math.max(0, count - 1))}`,
        ...(count <= 1 ? [`${x.path('passkeys', 'isSecondFactor')} = ${x.value(false)}`] : []),
      ],
      condition: `${x.path('passkeys', 'count')} = ${x.value(count)}`,
    }),
  }
  return wasCommitted(
    table.transact([
      { delete: keyOf(item), condition: isPresent },
      { delete: passkeyMarkerKey(hash) },
      ...(user ? [countStep] : []),
    ]),
  )
}
