import { changeItem } from '../../kernel/table/change-item.ts'
import { isPresent } from '../../kernel/table/expressions.ts'
import {
  apiTokenPrefix,
  type Key,
  passkeyMarkerKey,
  passkeyPrefix,
  userKey,
} from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { buildExpiryItems } from '../access-links/index.records.ts'
import { type AccessLinkRecord, accessLinkKind } from '../access-links/link.records.ts'
import { buildAuditStep } from '../audit/records.ts'
import { type PasskeyState, type UserRecord, userKind } from '../directory/user.records.ts'
import { buildUserLogoutSteps } from '../oauth/logout-jobs.records.ts'
import { countRemovedPasskeys, passkeyCodec } from '../passkeys/records.ts'

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
  buildExpiryItems(accessLinkKind.codec.decode(link)).map((entry) => ({ put: entry }))

/** The event by which the user and administrators see why sessions ended. AWS knows who ran the command. */
const buildEndedStep = (user: Item, requestId: string, nowMs: number): Step =>
  buildAuditStep({
    at: nowMs,
    requestId,
    address: 'command line',
    actor: null,
    outcome: 'succeeded',
    event: 'session.ended',
    user: userKind.codec.decode(user).id,
    target: 'all',
  })

/** Deletes a passkey with its marker, and counts it in the user. Fails if the user was changed concurrently. */
const deletePasskey = async (table: Table, item: Item): Promise<boolean> => {
  const passkey = passkeyCodec.decode(item)
  const { userId, hash } = passkey
  const user = await table.get(userKey(userId))
  const passkeys = user?.['passkeys'] as PasskeyState | undefined
  const countStep: Step = {
    update: userKey(userId),
    changes: (x) => ({
      set: [
        `${x.path('passkeys')} = ${x.value(countRemovedPasskeys(passkeys ? { passkeys } : {}, [passkey]))}`,
      ],
      condition: `${x.path('passkeys')} = ${x.value(passkeys)}`,
    }),
  }
  return wasCommitted(
    table.transact([
      { delete: keyOf(item), condition: isPresent },
      { delete: passkeyMarkerKey(hash) },
      ...(passkeys ? [countStep] : []),
    ]),
  )
}

interface EndOptions {
  /** When the operator started the command, in epoch milliseconds. Users who were processed since are skipped. */
  readonly at: number
  /** The latest time step of one-time passwords that must not be accepted any more, without the drift of the app. */
  readonly timeStep: number
  /** `change` lets users sign in once more, to set a new password. `remove` requires a reset by email. */
  readonly passwords: 'keep' | 'change' | 'remove'
  readonly apiTokens: 'keep' | 'end'
  readonly recoveryCodes: 'keep' | 'end'
  readonly accessLinks: 'keep' | 'end'
  /** Whether the table was restored, so that it lacks what happened since. */
  readonly isRestored: boolean
}

const oneTimePartitions = [partitions.passkeyChallenge, partitions.emailCode, partitions.outbox]

/** Items that are proofs for a moment, or emails with one. The service deletes or marks them when they are used. */
const isOneTime = (item: Item): boolean => {
  if (oneTimePartitions.some((partition) => item.pk.startsWith(partition))) return true
  // Other records of SAML flows are marks of what was used. They must stay.
  if (item.sk.startsWith('flow#')) return 'startedAt' in item || 'session' in item
  return item.sk === 'ticket' || /^(?:reset|second-factor|security-report)#/.test(item.sk)
}

/**
 * The form of an item after all credentials were ended. Undefined if the item is to be deleted, and the item itself if
 * nothing changes. `replaced` is the same item in the table that a restored one replaces, null if that has none, and
 * undefined without such a table.
 */
const endCredentials = (
  item: Item,
  options: EndOptions,
  replaced: Item | null | undefined,
): Item | undefined => {
  if (isOneTime(item)) return undefined
  if (item.sk === 'user') return endUserCredentials(item, options, replaced)
  if (item.sk === 'access-token') return endAccessLink(item, options, replaced)
  if (item.sk === 'counter') return options.isRestored ? skipIds(item, replaced) : item
  // A custom API token has a marker besides its item. Both were deleted together.
  const isApiToken = item.sk.startsWith(apiTokenPrefix) || item.pk.startsWith(partitions.apiToken)
  return isApiToken && replaced === null ? undefined : item
}

const endUserCredentials = (
  item: Item,
  { at, timeStep, passwords, apiTokens, recoveryCodes }: EndOptions,
  replaced: Item | null | undefined,
): Item => {
  const user = userKind.codec.decode(item)
  if ((user.credentialsEndedAt ?? 0) >= at) return item
  const later = replaced ? userKind.codec.decode(replaced) : undefined
  const wasPasswordChanged = later !== undefined && later.passwordHash !== user.passwordHash
  const mustChange = passwords === 'change' || wasPasswordChanged
  const isStillEnabled = replaced === undefined || later?.is_enabled === true
  const { emailConfirmation: _, legacySignIn: __, ...kept } = item
  const wasMarkEnded = passwords === 'remove' || (later !== undefined && !later.legacySignIn)
  const legacySignIn = wasMarkEnded ? undefined : user.legacySignIn
  return {
    ...kept,
    pk: item.pk,
    sk: item.sk,
    credentialEpoch: user.credentialEpoch + 1,
    resetEpoch: (user.resetEpoch ?? 0) + 1,
    version: user.version + 1,
    is_enabled: user.is_enabled && isStillEnabled,
    securityReports: { ...user.securityReports, endedUntil: at },
    ...(apiTokens === 'end' ? { apiTokensEndedAt: at } : {}),
    ...(passwords === 'remove' ? { passwordHash: null } : {}),
    ...(legacySignIn ? { legacySignIn } : {}),
    ...(mustChange && (user.passwordHash || legacySignIn) ? { password_change_required: true } : {}),
    ...(user.totp ? { totp: endCodes(user.totp, later, { timeStep, recoveryCodes }) } : {}),
    credentialsEndedAt: at,
  }
}

type Totp = NonNullable<UserRecord['totp']>

/** Codes of the present time may have been used already. Recovery codes that were used since do not work again. */
const endCodes = (
  totp: Totp,
  later: UserRecord | undefined,
  { timeStep, recoveryCodes }: Pick<EndOptions, 'timeStep' | 'recoveryCodes'>,
): Totp => {
  const unused = later?.totp?.recoveryCodes ?? (later ? {} : totp.recoveryCodes)
  const kept = Object.entries(totp.recoveryCodes).filter(([hash]) => Object.hasOwn(unused, hash))
  return {
    ...totp,
    lastStep: Math.max(totp.lastStep, timeStep + totp.driftSteps + 1),
    recoveryCodes: recoveryCodes === 'end' ? {} : Object.fromEntries(kept),
  }
}

/** A link that was deleted since ends. A limited one has no more views than were left. */
const endAccessLink = (
  item: Item,
  { at, accessLinks }: EndOptions,
  replaced: Item | null | undefined,
): Item => {
  const link: AccessLinkRecord = accessLinkKind.codec.decode(item)
  const isEnding = (accessLinks === 'end' || replaced === null) && (link.expiresAt ?? at + 1) > at
  const later = replaced ? accessLinkKind.codec.decode(replaced) : link
  const viewsLeft = Math.min(link.view_limit_left, later.view_limit_left)
  return isEnding || viewsLeft < link.view_limit_left
    ? { ...item, view_limit_left: viewsLeft, ...(isEnding ? { expiresAt: at } : {}) }
    : item
}

/** More than a service creates between a backup and the moment that it is restored. */
const skippedIds = 10_000

/**
 * IDs that were given out since must not be given to others: products know users by their ID. Without the replaced table,
 * the counter skips as many as are likely to exist.
 */
const skipIds = (item: Item, replaced: Item | null | undefined): Item => {
  const last = Number(item['last'] ?? 0)
  const next = replaced === undefined ? last + skippedIds : Math.max(last, Number(replaced?.['last'] ?? 0))
  return next === last ? item : { ...item, last: next }
}
