import { randomBytes, randomUUID } from 'node:crypto'
import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  emailKey,
  formerGuestKey,
  guestEmailKey,
  guestNameKey,
  userKey,
  usernameKey,
  usernameSkeletonKey,
} from '../../kernel/table/keys/keys.ts'
import { nameListing } from '../../kernel/table/keys/listing-keys.ts'
import { readByIds, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { buildAuditStep } from '../events/records.ts'
import { hasVerifiedEmail, isGuestUser } from '../users/guest-state.records.ts'
import { NotUnique, type UserRecord, userKind } from '../users/stored-user.records.ts'
import { buildUserListing, buildUserTotalSteps } from '../users/user-listing.records.ts'

/*
 * Guests give way to accounts. An account that holds the verified address of a guest replaces the guest: the links of
 * the guest belong to the account from then on. A guest who had rights for a while may also hold the username of a new
 * account or an address that it only claims. Then the guest keeps its links and moves to the names of guests.
 *
 * An account also gives way if its username is the verified address of another: its own address was that once, or it was
 * named before this rule. It gets another username, so that no one is kept from an account with their own address.
 */

/** What a user takes over from guests, and the steps for it. */
export interface NameTransfer {
  readonly usernameOf?: number | undefined
  readonly emailOf?: number | undefined
  /** The guest with the address of the user. */
  readonly guestId?: number | undefined
  readonly writesGuestEmail: boolean
  /** The account that gives up the username whose looks the username of the user may have. */
  readonly skeletonOf?: number | undefined
  readonly steps: readonly Step[]
}

export const noTransfer: NameTransfer = { writesGuestEmail: false, steps: [] }

type Claimant = Pick<
  UserRecord,
  'id' | 'normalizedUsername' | 'normalizedSkeleton' | 'email' | 'normalizedEmail' | 'emailVerified'
>

/**
 * Finds the guests who hold the names of an account, and plans how they give way, in at most two calls.
 *
 * @throws NotUnique if another account has one of the names.
 */
export const planTransfer = async (table: Table, user: Claimant): Promise<NameTransfer> => {
  const { normalizedEmail: email } = user
  const isReplacing = hasVerifiedEmail(user)
  const isOwnName = email === user.normalizedUsername
  const markers = await table.getMany([
    usernameKey(user.normalizedUsername),
    ...(email === null ? [] : [emailKey(email), guestEmailKey(email)]),
    ...(email === null || isOwnName ? [] : [usernameKey(email)]),
  ])
  const ids = markers.map((item) => userMarkerCodec.decodeOptional(item)?.userId)
  const others = [0, 1, 2, isOwnName ? 0 : 3].map((at) => (ids[at] === user.id ? undefined : ids[at]))
  const known = others.filter((id) => id !== undefined)
  const records = new Map((await readByIds(table, userKind, known)).map((row) => [row?.id, row]))
  const [usernameOf, emailOf, guestId, nameHolderId] = others
  const find = (id: number | undefined) => (id === undefined ? undefined : records.get(id))
  const isTaken = (id: number | undefined): boolean => {
    const holder = find(id)
    return id !== undefined && !(holder && isGuestUser(holder))
  }
  const nameHolder = isReplacing && isTaken(nameHolderId) ? find(nameHolderId) : undefined
  const taken = [
    ...(isTaken(usernameOf) && nameHolder?.id !== usernameOf ? (['username'] as const) : []),
    ...(isTaken(emailOf) ? (['email'] as const) : []),
  ]
  if (taken.length > 0) throw new NotUnique(taken)
  const [byUsername, byEmail, guest] = [
    find(usernameOf === nameHolder?.id ? undefined : usernameOf),
    find(emailOf),
    find(guestId),
  ]
  const replaced = isReplacing ? [byEmail, guest].filter((other) => other !== undefined) : []
  const moved = [...new Set([byUsername, byEmail])].filter(
    (other) => other !== undefined && !replaced.includes(other),
  )
  return {
    usernameOf,
    emailOf,
    guestId: isReplacing ? guestId : undefined,
    writesGuestEmail: isReplacing && byEmail !== undefined,
    skeletonOf: nameHolder?.id,
    steps: [
      ...(nameHolder ? buildRenameSteps(nameHolder, user) : []),
      ...replaced.flatMap((other) => buildReplaceSteps(other, user)),
      ...moved.flatMap((other) => (other ? buildMoveSteps(other, user) : [])),
    ],
  }
}

/** Ends a guest, who leaves the lists of users. The record stays, because it leads from the links to the account. */
const buildReplaceSteps = (guest: UserRecord, user: Claimant): readonly Step[] => [
  {
    update: userKey(guest.id),
    changes: (x) => ({
      set: [
        `${x.path('successorId')} = ${x.value(user.id)}`,
        `${x.path('is_enabled')} = ${x.value(false)}`,
        `${x.path('credentialEpoch')} = ${x.value(guest.credentialEpoch + 1)}`,
        `${x.path('version')} = ${x.value(guest.version + 1)}`,
      ],
      remove: [x.path('lpk'), x.path('lsk')],
      condition: `${x.path('version')} = ${x.value(guest.version)} AND attribute_not_exists(${x.path('successorId')})`,
    }),
    orElse: () => new EditConflict(),
  },
  ...buildUserTotalSteps(guest, undefined),
  { put: { ...formerGuestKey(user.id, guest.id) } },
  ...(guest.hasGuestNames
    ? [{ delete: guestNameKey(guest.id) }]
    : [
        ...buildUsernameRelease(guest, user),
        { put: { ...guestEmailKey(guest.normalizedEmail ?? ''), userId: guest.id } },
      ]),
]

/** Gives a guest who held the names of an account the names of a guest. */
const buildMoveSteps = (guest: UserRecord, user: Claimant): readonly Step[] => {
  const username = `guest-${randomBytes(9).toString('hex')}`
  const { lsk } = buildUserListing({ ...guest, normalizedUsername: username })
  return [
    {
      update: userKey(guest.id),
      changes: (x) => ({
        set: [
          `${x.path('hasGuestNames')} = ${x.value(true)}`,
          `${x.path('username')} = ${x.value(username)}`,
          `${x.path('normalizedUsername')} = ${x.value(username)}`,
          `${x.path('lsk')} = ${x.value(lsk)}`,
          `${x.path('version')} = ${x.value(guest.version + 1)}`,
        ],
        condition: `${x.path('version')} = ${x.value(guest.version)}`,
      }),
      orElse: () => new EditConflict(),
    },
    ...buildUsernameRelease(guest, user),
    { put: { ...guestNameKey(guest.id), ...nameListing('user', username, guest.id), userId: guest.id } },
    ...(guest.normalizedEmail === null
      ? []
      : [
          { delete: emailKey(guest.normalizedEmail) },
          { put: { ...guestEmailKey(guest.normalizedEmail), userId: guest.id } },
        ]),
  ]
}

/**
 * Gives an account another username than the address of the user. The new one begins like the old one, so that people
 * recognize it, and has no `@`.
 */
const buildRenameSteps = (holder: UserRecord, user: Claimant): readonly Step[] => {
  const start = holder.normalizedUsername.slice(0, holder.normalizedUsername.indexOf('@')).slice(0, 100)
  const username = `${start || 'user'}-${randomBytes(6).toString('hex')}`
  const renamed = { ...holder, username, normalizedUsername: username }
  const { lsk } = buildUserListing(renamed)
  const looks = holder.normalizedSkeleton
  return [
    {
      update: userKey(holder.id),
      changes: (x) => ({
        set: [
          `${x.path('username')} = ${x.value(username)}`,
          `${x.path('normalizedUsername')} = ${x.value(username)}`,
          `${x.path('lsk')} = ${x.value(lsk)}`,
          `${x.path('version')} = ${x.value(holder.version + 1)}`,
        ],
        remove: [x.path('normalizedSkeleton')],
        condition: `${x.path('version')} = ${x.value(holder.version)}`,
      }),
      orElse: () => new EditConflict(),
    },
    {
      put: { ...usernameKey(username), ...nameListing('user', username, holder.id), userId: holder.id },
      condition: isAbsent,
      orElse: () => new EditConflict(),
    },
    ...buildUsernameRelease(holder, user),
    ...(looks === undefined || looks === user.normalizedSkeleton
      ? []
      : [{ delete: usernameSkeletonKey(looks) }]),
    buildAuditStep({
      at: Date.now(),
      event: 'user.renamed',
      user: holder.id,
      actor: null,
      address: 'service',
      requestId: randomUUID(),
      target: String(user.id),
      changes: [{ field: 'username' }],
      outcome: 'succeeded',
    }),
  ]
}

/** The marker of a username that the user takes is overwritten instead. */
const buildUsernameRelease = (guest: UserRecord, user: Claimant): readonly Step[] =>
  guest.normalizedUsername === user.normalizedUsername
    ? []
    : [{ delete: usernameKey(guest.normalizedUsername) }]
