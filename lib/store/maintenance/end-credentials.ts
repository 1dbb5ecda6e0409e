import { type UserRecord, userKind } from '../directory/user-record.ts'
import type { Item } from '../engine/transaction.ts'
import { apiTokenPrefix } from '../keys/keys.ts'
import { partitions } from '../keys/partitions.ts'
import type { AccessTokenRecord } from '../links/access-token-record.ts'
import { accessTokenKind } from '../links/access-token-record.ts'

export interface EndOptions {
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
export const isOneTime = (item: Item): boolean => {
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
export const endCredentials = (
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
  const isStillEnabled = replaced === undefined || later?.isEnabled === true
  const { emailConfirmation: _, ...kept } = item
  return {
    ...kept,
    pk: item.pk,
    sk: item.sk,
    credentialEpoch: user.credentialEpoch + 1,
    resetEpoch: (user.resetEpoch ?? 0) + 1,
    version: user.version + 1,
    isEnabled: user.isEnabled && isStillEnabled,
    securityReports: { ...user.securityReports, endedUntil: at },
    ...(apiTokens === 'end' ? { apiTokensEndedAt: at } : {}),
    ...(passwords === 'remove' ? { passwordHash: null } : {}),
    ...(mustChange && user.passwordHash ? { passwordChangeRequired: true } : {}),
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
  const link: AccessTokenRecord = accessTokenKind.codec.decode(item)
  const isEnding = (accessLinks === 'end' || replaced === null) && (link.expiresAt ?? at + 1) > at
  const later = replaced ? accessTokenKind.codec.decode(replaced) : link
  const viewsLeft = Math.min(link.viewsLeft, later.viewsLeft)
  return isEnding || viewsLeft < link.viewsLeft
    ? { ...item, viewsLeft, ...(isEnding ? { expiresAt: at } : {}) }
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
