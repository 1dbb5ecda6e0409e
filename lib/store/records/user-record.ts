import { createCodec } from '../engine/codec.ts'
import { userKey } from '../engine/keys.ts'

/** A user as stored. What a user may do next (sessions, tickets) hangs on this one record, which each request reads. */
export interface UserRecord {
  readonly id: number
  readonly username: string
  /** The username as compared: see `foldUsername`. */
  readonly normalizedUsername: string
  readonly email: string | null
  readonly normalizedEmail: string | null
  readonly fullName: string | null
  readonly syncId: string
  readonly isEnabled: boolean
  readonly isExternal: boolean
  /** Made by a link, to be stood for by links: see `accounts/links/guests.ts`. */
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
  /**
   * Reset tokens belong to the epoch that they were minted in. Raising it revokes all of them. Missing means 0: no
   * reset token was minted yet.
   */
  readonly resetEpoch?: number
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
  readonly accessToken?: { readonly id: number; readonly isGuest: boolean; readonly createdBy: number }
  /** The administrator whose session it was, while that went on as the user: the ticket dies with that as well. */
  readonly actor?: number
  /** Who used it up, if anybody did, and when. */
  readonly takenBy?: string
  readonly takenAt?: number
}

/** What an authenticator was set up with, and what was learned of it since: see `store/sign-in/totp.ts`. */
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
  | 'resetEpoch'
  | 'tickets'
  | 'endedSessions'
  | 'knownAddresses'
  | 'createdAt'
  | 'lastSeenAt'
export type NewUser = Omit<UserRecord, KeptByTheStore>

/** What an edit may change. A name or an address is changed together with its normalized form. */
export type UserChanges = Partial<Omit<NewUser, 'syncId'>>

export type UniqueField = 'username' | 'email'

export const userKind = {
  keyOf: userKey,
  codec: createCodec<UserRecord>('user', {
    id: 'number',
    username: 'string',
    normalizedUsername: 'string',
    isEnabled: 'boolean',
    isExternal: 'boolean',
    permissions: 'list',
    groups: 'list',
    version: 'number',
    credentialEpoch: 'number',
    tickets: 'map',
    endedSessions: 'map',
    knownAddresses: 'map',
  }),
}
