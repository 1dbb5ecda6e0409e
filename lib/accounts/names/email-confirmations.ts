import { timingSafeEqual } from 'node:crypto'
import { emailConfirmationLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { isActive } from '../users/account-state.ts'
import { buildConfirmationStep, buildEarlierConfirmationStep } from '../users/build-user-step.records.ts'
import { findUser } from '../users/find-users.records.ts'
import { isGuestUser } from '../users/guest-state.records.ts'
import type { EmailState, NormalizedAddress, UserChanges, UserRecord } from '../users/stored-user.records.ts'
import type { Verifier } from '../users/user-fields.models.ts'

/*
 * An email address that was not set by an administrator waits for a confirmation: its owner opens a link that was sent to
 * it. Until then, the address gets nothing else. The link is stored with the user. So a newer link ends it, and it never
 * confirms another address than the one that it was sent to.
 */

/**
 * The address that a user chose. A new password or the end of all sessions withdraws it: a thief may have asked for it,
 * and would get the account back by confirming their own address.
 */
const getPendingAddress = ({ pendingEmail, credentialEpoch }: UserRecord): NormalizedAddress | undefined =>
  pendingEmail?.credentialEpoch === credentialEpoch
    ? { email: pendingEmail.email, normalizedEmail: pendingEmail.normalizedEmail }
    : undefined

/** Whether the address that waits is one that the user chose. */
export const hasPendingAddress = (user: UserRecord): boolean => getPendingAddress(user) !== undefined

/** The address that waits for a confirmation: one that the user chose, or else their present one. */
export const getUnconfirmedAddress = (user: UserRecord): NormalizedAddress | undefined => {
  const { email, normalizedEmail, emailVerified } = user
  const pending = getPendingAddress(user)
  if (pending) return pending
  return emailVerified === false && email !== null && normalizedEmail !== null
    ? { email, normalizedEmail }
    : undefined
}

/** Whether a user may get a link that confirms their address. */
export const canConfirmEmail = (user: UserRecord, nowMs: number): boolean =>
  isActive(user, nowMs) && !isGuestUser(user) && getUnconfirmedAddress(user) !== undefined

/**
 * Creates a link's credential, and the step that stores its hash. The step fails if the address was changed since. The step
 * `undo` is for a link that no one got.
 */
export const mintConfirmation = (
  { now }: Services,
  user: UserRecord,
  { normalizedEmail }: NormalizedAddress,
): { readonly value: string; readonly step: Step; readonly undo: Step } => {
  const { value, hash } = mintCredential('email_confirmation', user.id)
  const emailConfirmation = { hash, normalizedEmail, expiresAt: now() + emailConfirmationLifetimeMs }
  const orElse = () => new EditConflict()
  return {
    value,
    step: buildConfirmationStep(user, emailConfirmation, orElse),
    undo: buildEarlierConfirmationStep(user, hash, orElse),
  }
}

/** Finds the user of a link and the address that it confirms. Returns undefined for a link that does not work. */
export const findConfirmation = async (
  services: Services,
  value: string,
): Promise<{ readonly user: UserRecord; readonly address: NormalizedAddress } | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'email_confirmation') return undefined
  const user = await findUser(services.table, credential.subject)
  const now = services.now()
  if (!user?.emailConfirmation || !canConfirmEmail(user, now)) return undefined
  const { hash, normalizedEmail, expiresAt } = user.emailConfirmation
  const address = getUnconfirmedAddress(user)
  const isValid =
    timingSafeEqual(Buffer.from(hash), Buffer.from(credential.hash)) &&
    now < expiresAt &&
    address?.normalizedEmail === normalizedEmail
  return address && isValid ? { user, address } : undefined
}

/**
 * The name of an account for those who read a mailbox that was entered for it, which may be a mistake. An address is shown in part:
 * enough for its owner, and no address for a stranger to write to.
 */
export const describeClaimant = ({ username }: Pick<UserRecord, 'username'>): string => {
  // Some forms of `@` make a name an address as well.
  const name = username.normalize('NFKC')
  const at = name.lastIndexOf('@')
  const [first = ''] = name
  return at > 0 ? `${first}…${name.slice(at)}` : username
}

/** The changes that end the claim to the address that waits for a confirmation. A verified address stays. */
export const buildEndClaimChanges = (user: UserRecord): UserChanges =>
  hasPendingAddress(user) ? { pendingEmail: undefined, emailConfirmation: undefined } : endedClaim

/** The state of a user without an address. */
export const noEmailState = { emailVerified: undefined, verifiedBy: undefined } as const satisfies EmailState

/** The changes that take an address from a user who only claimed it. */
export const endedClaim = {
  email: null,
  normalizedEmail: null,
  ...noEmailState,
  isEmailFromProvider: undefined,
  emailConfirmation: undefined,
} as const satisfies UserChanges

/** The state of an address for which somebody vouched, or nobody yet. */
export const buildEmailState = (verifiedBy: Verifier | undefined): EmailState =>
  verifiedBy === undefined ? { emailVerified: false, verifiedBy } : { emailVerified: undefined, verifiedBy }

/**
 * The state of an address after an edit. An address that stays the same keeps its state, also if an administrator sends
 * it again: pages send all fields of a user back. A guest who becomes an account did not prove the address of the guest.
 */
export const buildEmailStateChange = (
  user: UserRecord,
  changes: UserChanges,
  verifiedBy: Verifier | undefined,
): UserChanges => {
  const isNew = changes.normalizedEmail !== undefined
  const isPromoted = isGuestUser(user) && !isGuestUser({ ...user, ...changes })
  if (!isNew && !isPromoted) return {}
  const email = changes.email === undefined ? user.email : changes.email
  return {
    ...(email === null ? noEmailState : buildEmailState(verifiedBy)),
    isEmailFromProvider: undefined,
    pendingEmail: undefined,
    emailConfirmation: undefined,
  }
}
