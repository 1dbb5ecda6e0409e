import { LastAdmin } from './admins.ts'
import { isAbsent, type Update } from './expressions.ts'
import { counterKey, emailKey, type Key, nameListing, userKey, userListing, usernameKey } from './keys.ts'
import { readAll } from './listing.ts'
import { ConditionFailed } from './outcomes.ts'
import type { Step, Table } from './table.ts'
import { adminLinks, groupLinks, groupStages, type JoinGuard, type Link, linkSteps } from './user-links.ts'

/** A user as stored. What a user may do next (sessions, tickets) hangs on this one record, which each request reads. */
export interface UserRecord {
  readonly id: number
  readonly username: string
  /** The username as compared: see `foldUsername`. */
  readonly foldedUsername: string
  readonly email: string | null
  readonly foldedEmail: string | null
  readonly fullName: string | null
  readonly syncId: string
  readonly isEnabled: boolean
  readonly isExternal: boolean
  /** Made by a link, to be stood for by links: see `accounts/guests.ts`. */
  readonly isGuest?: true
  /** Epoch milliseconds from which the account no longer works. */
  readonly expiresAt: number | null
  readonly passwordHash: string | null
  readonly passwordChangeRequired: boolean
  readonly allowChangingPassword: boolean
  /** The second factor; null, or not there, while it is off. */
  readonly totp: TotpState | null
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  readonly defaultPage: string
  readonly language: string | null
  readonly bookmarks: readonly string[]
  /** What the host product keeps with its users and this service only stores, under its names on the wire. */
  readonly hostFields: HostFields
  readonly lastSeenAt: number | null
  readonly createdAt: number
  /** Goes up by one with each edit; an edit of an older version is refused. */
  readonly version: number
  /** Sessions and tickets bear the epoch they were made in; raising it ends all of them at once. */
  readonly credentialEpoch: number
  /** Tickets not yet expired, by hash. */
  readonly tickets: Readonly<Record<string, TicketEntry>>
  /** Networks that the user signed in from, with the time: see `core/network.ts`. */
  readonly knownAddresses: Readonly<Record<string, number>>
  /** Sessions that ended a short while ago, by hash, with the time: their tickets must not work either. */
  readonly endedSessions: Readonly<Record<string, number>>
}

export interface TicketEntry {
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Hash of the session or API token that the ticket dies with. */
  readonly session: string
  /** The link that opened that session, where one did: the ticket dies with it as well. */
  readonly accessToken?: { readonly id: number; readonly asGuest: boolean }
  /** Who used it up, if anybody did. */
  readonly takenBy?: string
}

/** What an authenticator was set up with, and what was learned of it since: see `store/totp.ts`. */
export interface TotpState {
  /** The key, encrypted for this user. Never the same text twice, so it also tells one set-up from another. */
  readonly encryptedKey: string
  /** How many steps of 30 s its clock is ahead of ours. */
  readonly driftSteps: number
  /** The latest step of which a code was used: only later ones count. */
  readonly lastStep: number
  /** Hashes of the recovery codes that are left. */
  readonly recoveryCodes: Readonly<Record<string, true>>
}

/** Fields for the host product alone. `ldap` is JSON text, so that whatever was given comes back as it was. */
export interface HostFields {
  readonly allowWanLogin: boolean
  readonly gid: number | null
  readonly home: number | null
  readonly isCloud: boolean
  readonly ldap: string
  readonly ldapDn: string | null
  readonly shaperCeiling: number | null
  readonly shaperRate: number | null
  readonly uid: number | null
  readonly unixUsername: string | null
}

type KeptByTheStore =
  | 'id'
  | 'version'
  | 'credentialEpoch'
  | 'tickets'
  | 'endedSessions'
  | 'knownAddresses'
  | 'createdAt'
  | 'lastSeenAt'
export type NewUser = Omit<UserRecord, KeptByTheStore>

/** What an edit may change. A name or an address is changed together with its folded form. */
export type UserChanges = Partial<Omit<NewUser, 'syncId'>>

export type UniqueField = 'username' | 'email'

/** A username or an e-mail address that somebody else has. */
export class NotUnique extends Error {
  readonly taken: readonly UniqueField[]

  constructor(taken: readonly UniqueField[]) {
    super(`taken: ${taken.join(' and ')}`)
    this.name = 'NotUnique'
    this.taken = taken
  }
}

/** Another edit of the same record came in between. */
export class EditConflict extends Error {
  constructor() {
    super('the record was changed in between')
    this.name = 'EditConflict'
  }
}

export const findUser = async (table: Table, id: number): Promise<UserRecord | undefined> =>
  (await table.get(userKey(id))) as UserRecord | undefined

/** The users of these ids, each in its place; undefined for one that is gone. */
export const findUsers = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserRecord | undefined)[]> =>
  (await readAll(table, ids.map(userKey))) as unknown as readonly (UserRecord | undefined)[]

/** The id behind a folded username. */
export const findUserId = async (table: Table, foldedUsername: string): Promise<number | undefined> => {
  const marker = await table.get(usernameKey(foldedUsername))
  return marker?.['userId'] as number | undefined
}

/** The id behind a folded e-mail address. */
export const findUserIdByEmail = async (table: Table, foldedEmail: string): Promise<number | undefined> => {
  const marker = await table.get(emailKey(foldedEmail))
  return marker?.['userId'] as number | undefined
}

/**
 * Creates a user with all that hangs on it in one transaction, together with the steps that `along` makes for its
 * id; of very many groups the rest follows in others.
 *
 * @throws NotUnique when the username or the address is taken.
 * @throws EditConflict when the guard of a group refuses.
 * @throws ConditionFailed when a step in `along` refuses.
 */
export const createUser = async (
  table: Table,
  user: NewUser,
  nowMs: number,
  along: (id: number) => readonly Step[] = () => [],
  guard?: JoinGuard,
): Promise<UserRecord> => {
  const id = await table.next(counterKey('user'))
  return createUserAs(table, id, user, nowMs, along(id), undefined, guard)
}

/**
 * The same with an id that was taken from the counter before. What stands in `origin` stays with the username, for
 * `findClaims` to tell.
 */
export const createUserAs = async (
  table: Table,
  id: number,
  user: NewUser,
  nowMs: number,
  along: readonly Step[],
  origin?: string,
  guard?: JoinGuard,
): Promise<UserRecord> => {
  const [groups = [], ...later] = groupStages([], user.groups)
  const record: UserRecord = {
    ...user,
    groups,
    id,
    version: 1,
    credentialEpoch: 1,
    tickets: {},
    endedSessions: {},
    knownAddresses: {},
    createdAt: nowMs,
    lastSeenAt: null,
  }
  const markers: { name: UniqueField; key: Key }[] = [
    {
      name: 'username',
      key: { ...usernameKey(user.foldedUsername), ...nameListing('user', user.foldedUsername, id) },
    },
    ...(user.foldedEmail === null ? [] : [{ name: 'email' as const, key: emailKey(user.foldedEmail) }]),
  ]
  const holder = origin === undefined ? { userId: id } : { userId: id, origin }
  const claim = (key: Key): Step => ({ put: { ...key, ...holder }, condition: isAbsent })
  const place: Step = { put: { ...userKey(id), ...userListing(id), ...record }, condition: isAbsent }
  const links: Link[] = [
    ...markers.map(({ name, key }): Link => ({ step: claim(key), refusal: name })),
    { step: place },
    ...along.map((step) => ({ step })),
    ...groupLinks(undefined, record, guard),
    ...adminLinks(undefined, record),
  ]
  await transactLinks(table, links)
  return editInStages(table, record, later, guard)
}

/** @throws the error that tells what refused, or what was thrown where no link says. */
const transactLinks = async (table: Table, links: readonly Link[]): Promise<void> => {
  try {
    await table.transact(links.map(({ step }) => step))
  } catch (error) {
    const refusals =
      error instanceof ConditionFailed ? error.steps.flatMap((at) => links[at]?.refusal ?? []) : []
    const taken = refusals.filter((name) => name === 'username' || name === 'email')
    if (refusals.includes('version') || refusals.includes('group')) throw new EditConflict()
    if (taken.length > 0) throw new NotUnique(taken)
    throw refusals.includes('last-admin') ? new LastAdmin() : error
  }
}

/**
 * Changes a user as it was read, and all that hangs on it, in one transaction; of very many groups the rest follows in
 * others, and the user is in between what it was and what it will be.
 *
 * @throws EditConflict when the user was changed or deleted since, or the guard of a group refuses.
 * @throws NotUnique when the new username or address is taken.
 * @throws LastAdmin when nobody would be left to administer.
 */
export const editUser = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
  guard?: JoinGuard,
): Promise<UserRecord> => edit(table, user, changes, along, guard)

/** The same, and ends every session and ticket of the user in the same write. */
export const editUserEndingSessions = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
  guard?: JoinGuard,
): Promise<UserRecord> =>
  edit(
    table,
    user,
    { ...changes, credentialEpoch: user.credentialEpoch + 1, tickets: {}, endedSessions: {} },
    along,
    guard,
  )

const edit = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  along: readonly Step[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  if (!changes.groups) return editOnce(table, user, changes, along, guard)
  const [groups = [], ...later] = groupStages(user.groups, changes.groups)
  const edited = await editOnce(table, user, { ...changes, groups }, along, guard)
  return editInStages(table, edited, later, guard)
}

const editInStages = async (
  table: Table,
  user: UserRecord,
  stages: readonly (readonly number[])[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  let edited = user
  for (const groups of stages) edited = await editOnce(table, edited, { groups }, [], guard)
  return edited
}

const editOnce = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  along: readonly Step[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  const all = { ...changes, version: user.version + 1 }
  const edited = { ...user, ...all }
  const update: Update = (x) => ({
    set: Object.entries(all).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(user.version)}`,
  })
  await transactLinks(table, [
    { step: { update: userKey(user.id), changes: update }, refusal: 'version' },
    ...along.map((step) => ({ step })),
    ...linkSteps(user, edited, guard),
  ])
  return edited
}

/** Notes that a user was here; no edit, so that it never gets in the way of one. */
export const touchUser = async (table: Table, id: number, nowMs: number): Promise<void> => {
  await table.update(userKey(id), (x) => ({
    set: [`${x.path('lastSeenAt')} = ${x.value(nowMs)}`],
    condition: `attribute_exists(${x.path('pk')})`,
  }))
}

/** How old a note of an address may become before it is written again. */
const addressPrecisionMs = 24 * 60 * 60_000

/** A step that notes where the user signed in from, keeping the newest `most`; none while the note is fresh. */
export const userSeenFrom = (user: UserRecord, network: string, nowMs: number, most: number): Step[] => {
  const notedAt = user.knownAddresses[network]
  if (notedAt !== undefined && nowMs - notedAt < addressPrecisionMs) return []
  const others = Object.entries(user.knownAddresses).filter(([name]) => name !== network)
  const forgotten = others.sort(([, a], [, b]) => b - a).slice(most - 1)
  const changes: Update = (x) => ({
    set: [`${x.path('knownAddresses', network)} = ${x.value(nowMs)}`],
    remove: forgotten.map(([name]) => x.path('knownAddresses', name)),
    condition: `attribute_exists(${x.path('pk')})`,
  })
  return [{ update: userKey(user.id), changes }]
}
