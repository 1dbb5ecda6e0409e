import type { StoredFieldsOf } from '../../kernel/contract/model.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { CombinableError } from '../../kernel/table/transaction.ts'
import type { storedUserFields, Verifier } from './user-fields.models.ts'

/**
 * A user as stored. Fields that answers show as they are have their names on the wire. All others are in camel case: they are
 * only stored, or shown in another form. Each request reads this record: it decides whether sessions and tickets of the user are valid. So it
 * must not grow with the use of the account.
 */
export interface UserRecord extends StoredFieldsOf<typeof storedUserFields> {
  /** The username in the form that is compared: see `normalizeUsername`. */
  readonly normalizedUsername: string
  /** The looks of the username: see `skeleton.ts`. Missing for guests, and where names may look the same. */
  readonly normalizedSkeleton?: string | undefined
  readonly normalizedEmail: string | null
  /** False for an address without confirmation: see `accounts/emails`. Missing means confirmed. */
  readonly emailVerified?: false | undefined
  /** Who vouched for the address. Missing without a verified one. */
  readonly verifiedBy?: Verifier | undefined
  /** Whether an identity provider claimed the address. Such a claim does not keep managers from setting it. */
  readonly isEmailFromProvider?: true | undefined
  /** The address that the user chose. It replaces `email` once it is confirmed. */
  readonly pendingEmail?: PendingEmail | undefined
  /** The latest emailed link that confirms an address. */
  readonly emailConfirmation?: EmailConfirmation | undefined
  /** The latest invitation. Missing if there was none, or if it was revoked. */
  readonly invitation?: UserInvitation | undefined
  /** Whether an access link created the user: see `access-links/guests.ts`. */
  readonly isGuest?: true
  /** Whether the names are kept apart from those of accounts. */
  readonly hasGuestNames?: true | undefined
  /** The account that replaced this guest. The links of the guest belong to it. */
  readonly successorId?: number
  /** Whether the successor is the user with whom this one was merged. Their API tokens belong to the successor, too. */
  readonly isMerged?: true
  /** Epoch milliseconds. From then on the user is not active. */
  readonly expiresAt: number | null
  readonly passwordHash: string | null
  /**
   * The user as an old system knows them, which alone has the password. Only an import sets it, for a user without a hash.
   * Each write of `passwordHash` removes it: see `withoutOldPassword`.
   */
  readonly legacySignIn?: LegacySignIn | undefined
  /** What the last lookup of the password in known data breaches found. Each write of `passwordHash` removes it. */
  readonly breachLookup?: BreachLookup | undefined
  /** The second factor. Null or missing while it is disabled. */
  readonly totp: TotpState | null
  /** Missing until the user adds their first passkey. */
  readonly passkeys?: PasskeyState
  readonly groups: readonly number[]
  readonly language: string | null
  /** As JSON text: see `contract/stored-attributes.ts`. */
  readonly attributes: string
  readonly lastSeenAt: number | null
  /** The last day on which the user was counted as active, in days since 1970: see `active-users.records.ts`. Missing before the first. */
  readonly activeDay?: number
  readonly createdAt: number
  /** When the person registered in the system that they were imported from. Missing if an import did not name it. */
  readonly registeredAt?: number
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
  /** Sessions and tickets contain the epoch they were created in. A new epoch ends all of them at once. */
  readonly credentialEpoch: number
  /**
   * Reset tokens belong to the epoch that they were minted in. Raising it revokes all of them. Missing means 0: no
   * reset token was minted yet.
   */
  readonly resetEpoch?: number
  /** Networks from which the user signed in, with the time: see `getNetwork`. */
  readonly knownAddresses: Readonly<Record<string, number>>
  /** When the password was last changed. */
  readonly passwordChangedAt?: number
  /** Devices that the user signed in from, with the time: see `known-devices.ts`. */
  readonly knownDevices?: Readonly<Record<string, number>>
  /** Hashes of the cookies of browsers that the user signed in from, with the time: see `known-devices.ts`. */
  readonly deviceCookies?: Readonly<Record<string, number>>
  /** Credentials that were added in this period do not work. Their items are being deleted. */
  readonly revokedCredentials?: RevokedPeriod
  /** When an operator last ended all credentials: see `lib/features/leaked-credentials/apply-end.records.ts`. */
  readonly credentialsEndedAt?: number
  /** API tokens that were created up to then do not work. */
  readonly apiTokensEndedAt?: number
  /** API tokens that were created up to then and still work. */
  readonly keptApiTokens?: KeptApiTokens | undefined
  /** Whether a session of the user ever gave tokens to an OpenID Connect client: see `session-clients.records.ts`. */
  readonly hasClientSessions?: true
  /** The account has no right beyond these: see `directory/rights/rights-limit.ts`. Missing if it is not limited. */
  readonly rightsLimit?: RightsLimit | undefined
  /** Whether it is a service account, which is never an administrator: privileged permissions of its groups have no effect. */
  readonly isProgram?: true
  /** The user in the system that they were imported from. Missing if an import did not name it. */
  readonly externalId?: ExternalId
  /** The same of users with whom this one was merged. */
  readonly mergedExternalIds?: readonly ExternalId[]
  /** The connections whose directories gave the account something: see `kept-by-directory.ts`. Missing for most. */
  readonly directories?: readonly number[] | undefined
  /** The request of the user to delete their account. */
  readonly deletion?: DeletionRequest | undefined
  /** The terms that the user accepted when they signed up. */
  readonly acceptedTerms?: AcceptedTerms
  /** Whether the overview of the console no longer shows this administrator the first steps. */
  readonly hidesOnboarding?: true | undefined
  /** Decides which links of security emails still work: see `report-change.ts`. */
  readonly securityReports?: SecurityReportState
  /** What a session does not give its user: see `resting-rights.ts`. It is never stored. */
  readonly restingRights?: RestingRights | undefined
}

/** The rights of a user that have no effect in a session. */
export interface RestingRights {
  /** Those of the user's own that were left out of `permissions`, and out of `groups`. */
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  /** Permissions that have no effect if a group gives them. */
  readonly fromGroups: readonly string[]
  /** Whether the session is too old for one of an administrator, so that no group makes its user one. */
  readonly isSessionTooOld?: true
}

/** The terms that a user accepted when they signed up. */
export interface AcceptedTerms {
  readonly version: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface DeletionRequest {
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /** When the account is deleted: epoch milliseconds. Null if an administrator decides. */
  readonly dueAt: number | null
}

/** An ID that is unique in its source. */
export interface ExternalId {
  readonly source: string
  readonly id: string
}

/**
 * Names at the time of the import. Later ones would ask the old system about someone else: a user manager could give a user
 * the name that they have there.
 */
export interface LegacySignIn {
  readonly username: string
  readonly email: string | null
}

export interface BreachLookup {
  /** Epoch milliseconds. */
  readonly at: number
  readonly isFound: boolean
  /** When the user was last sent a link because of it. Epoch milliseconds. */
  readonly emailedAt?: number
}

export interface KeptApiTokens {
  /** The epoch that began when they were kept. Ending the sessions of the user again ends these tokens as well. */
  readonly credentialEpoch: number
  /** Each with the time when it expires. A token that would work longer does not work. */
  readonly tokens: readonly { readonly id: number; readonly until: number }[]
}

/** A period in epoch milliseconds, with both ends. */
export interface RevokedPeriod {
  readonly from: number
  readonly to: number
}

/** Times are those of the changes that the links are about. */
export interface SecurityReportState {
  /** Links about changes up to then do not work. */
  readonly endedUntil: number
  /** The periods that reports undid, latest first. Links about changes in them do not work. */
  readonly undone?: readonly RevokedPeriod[]
}

export interface NormalizedAddress {
  readonly email: string
  readonly normalizedEmail: string
}

export interface PendingEmail extends NormalizedAddress {
  /** The epoch of the user who asked. A new epoch ends the request, as it ends all sessions. */
  readonly credentialEpoch: number
}

export interface EmailConfirmation {
  /** The hash of its credential. */
  readonly hash: string
  /** The address that it was sent to. It confirms no other address. */
  readonly normalizedEmail: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** An authenticator and the state of its clock: see `totp.records.ts`. */
export interface TotpState {
  /** The key, encrypted for this user. The text is always different, so it also identifies the setup. */
  readonly encryptedKey: string
  /** How many steps of 30 s its clock is ahead of the service. */
  readonly driftSteps: number
  /** The latest time step whose code was used. Only later codes are accepted. */
  readonly lastStep: number
  /** Hashes of the unused recovery codes. */
  readonly recoveryCodes: Readonly<Record<string, true>>
  /** When the second factor was turned on. Missing if it was imported. */
  readonly enabledAt?: number
  /** When the recovery codes were last replaced. */
  readonly codesRenewedAt?: number
}

/** What a user's record holds about their passkeys, which are items of their own: see `passkeys/records.ts`. */
export interface PasskeyState {
  /**
   * Random, in base64url. Authenticators store it to recognize the user. It says nothing about them, and is the same for
   * all of their passkeys (WebAuthn Level 3, section 14.6.1).
   */
  readonly userHandle: string
  readonly count: number
  /** How many of them are not proven: see `PasskeyRecord`. They are no second factor. Missing for none. */
  readonly unprovenCount?: number
  /** Whether the user's password alone does not sign in: they chose to require a passkey with it. */
  readonly isSecondFactor: boolean
}

/** All IDs that the user has in other systems: first their own, then those of users who were merged with them. */
export const listExternalIds = ({
  externalId,
  mergedExternalIds = [],
}: Pick<UserRecord, 'externalId' | 'mergedExternalIds'>): readonly ExternalId[] => [
  ...(externalId ? [externalId] : []),
  ...mergedExternalIds,
]

type StoreManaged =
  | 'restingRights'
  | 'id'
  | 'version'
  | 'credentialEpoch'
  | 'credentialsEndedAt'
  | 'resetEpoch'
  | 'hasClientSessions'
  | 'knownAddresses'
  | 'createdAt'
  | 'lastSeenAt'
  | 'activeDay'
export type NewUser = Omit<UserRecord, StoreManaged>

/** Whether an address is verified, and by whom. An edit changes both or none, so that nothing is verified by nobody. */
export type EmailState =
  | { readonly emailVerified: undefined; readonly verifiedBy: Verifier }
  | { readonly emailVerified: false; readonly verifiedBy: undefined }
  /** Without an address. */
  | { readonly emailVerified: undefined; readonly verifiedBy: undefined }

type NoEmailState = { readonly [Field in keyof EmailState]?: never }

/** The fields that a request may set. A username or email address changes together with its normalized form. */
export type FieldChanges = Partial<Omit<NewUser, 'sync_id' | keyof EmailState>>

/** What an edit may change. */
export type UserChanges = FieldChanges & (EmailState | NoEmailState)

export type UniqueField = 'username' | 'email' | 'external_id'

export const userKind = {
  keyOf: userKey,
  codec: createCodec<UserRecord>('user', {
    id: 'number',
    username: 'string',
    normalizedUsername: 'string',
    is_enabled: 'boolean',
    is_external: 'boolean',
    permissions: 'list',
    groups: 'list',
    version: 'number',
    credentialEpoch: 'number',
    knownAddresses: 'map',
  }),
}

/** An invitation to sign in for the first time. A user has at most one, so it is part of their record. */
export interface UserInvitation {
  /** Random. A newer invitation has another one, so the email of an older one is not sent any more. */
  readonly id: string
  /** The hash of the credential in the link. Missing until the mailer has created it. */
  readonly hash?: string
  /** The ID of the inviter. Users who signed up have their own, and the first administrator has none. */
  readonly invitedBy: number | null
  /** What the inviter held. The invitation opens no account with other permissions. Missing for an administrator. */
  readonly rights?: Pick<RightsLimit, 'permissions' | 'isApiToken'>
  /** The address that it is sent to. An invitation to another address does not work. */
  readonly normalizedEmail: string
  /** The epoch of the user who was invited. A new epoch ends the invitation, as it ends all sessions. */
  readonly credentialEpoch: number
  /** When it was made, or its link. Epoch milliseconds. */
  readonly madeAt: number
  /** When its email was sent. Epoch milliseconds. Missing while that is unknown. */
  readonly sentAt?: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Epoch milliseconds. Missing until the user has accepted it. */
  readonly acceptedAt?: number
}

/** What those held together who set the password or the address of an account for its user, or invited them. */
export interface RightsLimit {
  readonly permissions: readonly string[]
  /** Whether one of them was an API token, which must not lead to a privileged account. */
  readonly isApiToken?: boolean
  /** Whether the address may be theirs: they set it, or it was confirmed since. */
  readonly hasSetEmail?: boolean
  /**
   * Whether all of them only named an address while the account had no other way in, so that nobody but its mailbox got a link. Missing
   * once one of them set anything else.
   */
  readonly isMailedOnly?: true
  /** When the first of them did. Epoch milliseconds. */
  readonly since: number
}

/** The name of another user looks like this username. */
export class LooksLikeOther extends ConflictError {
  constructor() {
    super('username_lookalike', 'the name of another user looks like this username')
    this.name = 'LooksLikeOther'
  }
}

/** Another user has this username or email address, or both are taken. */
export class NotUnique extends ConflictError implements CombinableError {
  readonly taken: readonly UniqueField[]

  constructor(taken: readonly UniqueField[]) {
    super(
      taken.includes('username') ? 'username_taken' : 'email_taken',
      `taken: ${taken.join(' and ')}`,
      taken,
    )
    this.name = 'NotUnique'
    this.taken = taken
  }

  combine(other: Error): NotUnique | undefined {
    return other instanceof NotUnique ? new NotUnique([...this.taken, ...other.taken]) : undefined
  }
}
