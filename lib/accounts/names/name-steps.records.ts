import { type Condition, isAbsent } from '../../kernel/table/expressions.ts'
import {
  emailClaimKey,
  emailKey,
  externalIdKey,
  guestEmailKey,
  guestNameKey,
  type Key,
  usernameKey,
  usernameSkeletonKey,
} from '../../kernel/table/keys/keys.ts'
import { nameListing } from '../../kernel/table/keys/listing-keys.ts'
import { getKey, type Item, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { hasVerifiedEmail } from '../users/guest-state.records.ts'
import {
  LooksLikeOther,
  listExternalIds,
  NotUnique,
  type UniqueField,
  type UserRecord,
} from '../users/stored-user.records.ts'
import { type NameTransfer, noTransfer } from './name-transfer.records.ts'

/*
 * The items that hold the names of a user. An account holds its username, the looks of it, its verified email address, and its
 * IDs in other systems, each of them alone. An unverified address is only listed under its claimants, so it reserves nothing. A guest holds an address among
 * guests, and no username.
 */

export type NamedUser = Pick<
  UserRecord,
  | 'id'
  | 'normalizedUsername'
  | 'normalizedSkeleton'
  | 'email'
  | 'normalizedEmail'
  | 'emailVerified'
  | 'hasGuestNames'
  | 'externalId'
  | 'mergedExternalIds'
  | 'successorId'
>

/** The username marker is also the user's entry in the list by name. */
export const buildUsernameMarker = ({ id, normalizedUsername }: NamedUser): Key => ({
  ...usernameKey(normalizedUsername),
  ...nameListing('user', normalizedUsername, id),
})

/** The entry of a guest in the list by name. */
export const buildGuestMarker = ({ id, normalizedUsername }: NamedUser): Item => ({
  ...guestNameKey(id),
  ...nameListing('user', normalizedUsername, id),
  userId: id,
})

/** Builds the steps that change the held names from those of `before` to those of `after`. */
export const buildNameSteps = (
  before: NamedUser | undefined,
  after: NamedUser | undefined,
  {
    origin,
    transfer = noTransfer,
  }: { origin?: string | undefined; transfer?: NameTransfer | undefined } = {},
): readonly Step[] => {
  const [released, held] = [listHeld(before), listHeld(after)]
  const isIn = (list: readonly Held[], { key }: Held) =>
    list.some((other) => other.key.pk === key.pk && other.key.sk === key.sk)
  const gained = held.filter((name) => !isIn(released, name))
  const lost = released.filter((name) => !isIn(held, name))
  const lostEmail = lost.find(({ kind }) => kind === 'email')?.normalizedEmail
  const isOwnGuestEmail = (email: string) =>
    released.some(({ kind, normalizedEmail }) => kind === 'guest-email' && normalizedEmail === email)
  const steps = [
    ...lost.map(({ key }): Step => ({ delete: key })),
    // A guest of this address was replaced by the user. Further links to the address are for another guest.
    ...(lostEmail === undefined ? [] : [{ delete: guestEmailKey(lostEmail) }]),
    ...gained.flatMap((name) => buildGainSteps(name, { origin, transfer, isOwnGuestEmail, lostEmail })),
    ...transfer.steps,
  ]
  return [...steps, ...buildForeignNameSteps(gained, steps, after)]
}

/**
 * Builds the steps that keep a new username from being the address of another account, and the other way round. People
 * sign in by either, and may take one for the other. The user's own names are part of `steps` or belong to them.
 */
const buildForeignNameSteps = (
  gained: readonly Held[],
  steps: readonly Step[],
  user: NamedUser | undefined,
): readonly Step[] => {
  if (!user) return []
  // A transaction can name each item only once. These steps decide about the names that they write or check.
  const named = new Set(steps.map((step) => getKey(step).pk))
  const isOwnOrFree: Condition = (x) => `${isAbsent(x)} OR ${x.path('userId')} = ${x.value(user.id)}`
  const build = (field: UniqueField, key: Key): readonly Step[] =>
    named.has(key.pk) ? [] : [{ check: key, condition: isOwnOrFree, orElse: () => new NotUnique([field]) }]
  return gained.flatMap(({ kind, normalizedEmail }) => {
    if (kind === 'username' && user.normalizedUsername.includes('@'))
      return build('username', emailKey(user.normalizedUsername))
    return kind === 'email' ? build('email', usernameKey(normalizedEmail)) : []
  })
}

interface Held {
  readonly kind: 'username' | 'skeleton' | 'email' | 'claim' | 'external' | 'guest-name' | 'guest-email'
  readonly key: Key
  readonly item: Item
  readonly normalizedEmail: string
}

const listHeld = (user: NamedUser | undefined): readonly Held[] => {
  if (!user || user.successorId !== undefined) return []
  const { id, normalizedEmail, normalizedSkeleton } = user
  const hold = (kind: Held['kind'], item: Key): Held => ({
    kind,
    key: { pk: item.pk, sk: item.sk },
    item: { ...item, userId: id },
    normalizedEmail: normalizedEmail ?? '',
  })
  if (user.hasGuestNames)
    return [
      hold('guest-name', buildGuestMarker(user)),
      ...(normalizedEmail === null ? [] : [hold('guest-email', guestEmailKey(normalizedEmail))]),
    ]
  const kind = hasVerifiedEmail(user) ? 'email' : 'claim'
  const emailMarker = kind === 'email' ? emailKey : (email: string) => emailClaimKey(email, id)
  return [
    hold('username', buildUsernameMarker(user)),
    ...(normalizedEmail === null ? [] : [hold(kind, emailMarker(normalizedEmail))]),
    ...listExternalIds(user).map((externalId) => hold('external', externalIdKey(externalId))),
    // Last, so that a name which is the same is not reported as one that looks the same.
    ...(normalizedSkeleton === undefined ? [] : [hold('skeleton', usernameSkeletonKey(normalizedSkeleton))]),
  ]
}

interface GainOptions {
  readonly origin: string | undefined
  readonly transfer: NameTransfer
  readonly isOwnGuestEmail: (normalizedEmail: string) => boolean
  /** The verified address that the user gives up. */
  readonly lostEmail: string | undefined
}

const buildGainSteps = (
  { kind, item, normalizedEmail }: Held,
  { origin, transfer, isOwnGuestEmail, lostEmail }: GainOptions,
): readonly Step[] => {
  const takes = (field: UniqueField, step: Step): Step => ({ ...step, orElse: () => new NotUnique([field]) })
  const stored = { ...item, ...omitUndefined({ origin }) }
  const isFree = (holder: number | undefined): Condition =>
    holder === undefined ? isAbsent : (x) => `${x.path('userId')} = ${x.value(holder)}`
  const isFreeOr =
    (holder: number | undefined): Condition =>
    (x) =>
      holder === undefined ? isAbsent(x) : `${isAbsent(x)} OR ${x.path('userId')} = ${x.value(holder)}`
  const noAccount = takes('email', { check: emailKey(normalizedEmail), condition: isAbsent })
  if (kind === 'skeleton')
    return [{ put: item, condition: isFreeOr(transfer.skeletonOf), orElse: () => new LooksLikeOther() }]
  if (kind === 'username') return [takes('username', { put: stored, condition: isFree(transfer.usernameOf) })]
  if (kind === 'external') return [takes('external_id', { put: stored, condition: isAbsent })]
  if (kind === 'email') {
    const guestCheck: Step = { check: guestEmailKey(normalizedEmail), condition: isFree(transfer.guestId) }
    return [
      takes('email', { put: stored, condition: isFree(transfer.emailOf) }),
      ...(isOwnGuestEmail(normalizedEmail) || transfer.writesGuestEmail ? [] : [takes('email', guestCheck)]),
    ]
  }
  // The transfer deletes the marker of a guest who had it, and the user's own address may become a claim. A transaction can
  // name each item only once.
  const isReleased = transfer.emailOf !== undefined || lostEmail === normalizedEmail
  if (kind === 'claim') return [{ put: item }, ...(isReleased ? [] : [noAccount])]
  if (kind === 'guest-name') return [{ put: item }]
  return [takes('email', { put: item, condition: isAbsent }), noAccount]
}
