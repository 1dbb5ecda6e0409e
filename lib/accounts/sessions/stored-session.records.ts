import type { ConnectionKindName } from '../../kernel/contract/connection-kinds.ts'
import type { Condition } from '../../kernel/table/expressions.ts'
import { createCodec } from '../../kernel/table/records.ts'

export interface SessionRecord {
  readonly hash: string
  /** Random within its user. Consecutive IDs would cost each sign-in a write to a counter and reveal their number. */
  readonly id: number
  readonly userId: number
  readonly credentialEpoch: number
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
  /** The country of the address, if the front door knew it: ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Whether the user was an administrator when they signed in, also through a group. */
  readonly isAdministrator?: true
  /** What the session can do, if that is not everything. See `organization-sessions.ts` for those that only connections of organizations opened. */
  readonly limitedTo?: SetupLimit | 'organizations'
  /** The latest proof from a connection of each organization, the newest first. Missing if there is none. */
  readonly organizationProofs?: readonly OrganizationProof[]
  /** From then on the user needs a second factor, which they did not have when they signed in. */
  readonly secondFactorRequiredFrom?: number
  /** The rights for which the sign-in policy asks a second factor: see `resting-rights.ts`. Missing if there are none. */
  readonly factorRule?: FactorRule
  /** Whether the session was once left unused for longer than those of administrators may be. */
  readonly wasIdle?: true
  /** The access link that opened the session. The session ends with it. */
  readonly accessLink?: SessionLink
  /** The user as the identity provider names them, if a provider signed them in. */
  readonly providerSubject?: ProviderSubject
  /** Those of earlier sign-ins whose proofs the session kept: see `carry-proofs.ts`. No two are of one provider. */
  readonly carriedSubjects?: readonly CarriedSubject[]
  /** The user whom the administrator of this session impersonates, and until when. */
  readonly impersonation?: { readonly userId: number; readonly until: number }
  /** How often an impersonation started or stopped without a new credential. Tokens name the session by it, too. */
  readonly switches?: number
  /** The latest proof of identity. */
  readonly authentication: SessionAuthentication
  /** The OpenID Connect clients that got tokens, each with the user of the tokens: see `session-clients.records.ts`. */
  readonly clients?: ReadonlySet<string>
  /** What each of these clients may do, under the same text: see `client-access.records.ts`. */
  readonly clientAccess?: Readonly<Record<string, ClientAccess>>
}

/** What the sign-in policy asks a second factor for. A session keeps it, so that a request reads no policy. */
export interface FactorRule {
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  /** When the policy began to ask for it, in epoch milliseconds. */
  readonly since: number
  readonly graceDays: number
}

/** What decides which rights of its user have an effect in a session: see `withSessionRights`. */
export type RightsProof = Pick<
  SessionRecord,
  'authentication' | 'limitedTo' | 'factorRule' | 'isAdministrator' | 'createdAt' | 'lastSeenAt' | 'wasIdle'
>

/** The limit of a session that can set up what the sign-in policy requires, and nothing else. */
export type SetupLimit = 'second_factor_setup' | 'passkey_setup'

/** A client of a session, as the user of its tokens sees it. */
export interface ClientAccess {
  /** How often its access was ended. Grants from before no longer work. */
  readonly ends: number
  /** When its access was last ended. */
  readonly endedAt?: number
  /** Missing while its access is ended. */
  readonly access?: {
    readonly since: number
    /** Precise to `clientUsePrecisionMs`. */
    readonly usedAt: number
    /** Of an app with refresh tokens: from then on they no longer work, because it did not use them. */
    readonly idleAt?: number
    readonly scopes: readonly string[]
  }
}

/** A way to prove an identity. A sign-in through a connection has the name of its kind. `mfa` is what an identity provider states about two factors there. `link` is the possession of an access link. */
export type AuthenticationMethod =
  | 'pwd'
  | 'otp'
  | 'recovery_code'
  | ConnectionKindName
  | 'mfa'
  | 'passkey'
  | 'email_code'
  | 'link'

/** When and how the user of a session last proved their identity. */
export interface SessionAuthentication {
  readonly at: number
  readonly methods: readonly AuthenticationMethod[]
  /** Whether a remembered device did instead of the second factor of the user. It is no proof for what needs a new one. */
  readonly isFactorRemembered?: true
  /** The connection that the proof came through. Missing for a proof of this service. */
  readonly connection?: number
  /** Whether everybody can have an account at the provider of the connection. */
  readonly isPublicProvider?: true
  /** Whether the set-up link of the connection was open: its holder could name anyone. The proof then gives no privileged permissions. */
  readonly isFromSetUp?: true
  /** Whether a public provider did not say when it signed the user in. `at` is then the time of its answer: see `proof-time.ts`. */
  readonly isTimeUnknown?: true
}

/** A sign-in through a connection of an organization. */
export interface OrganizationProof extends SessionAuthentication {
  readonly organization: number
  /** The joining of the user. A proof from before a removal counts no more. */
  readonly joining: string
  /** The connection of the organization. */
  readonly connection: number
}

export interface SessionLink {
  readonly id: number
  /** Whether the link alone opened the session. Its user must then remain a guest without a login. */
  readonly isGuest: boolean
  /** The creator of the link, stored here so that one call reads both. */
  readonly createdBy: number
  /** The organization of the link, stored here for the same reason. */
  readonly organization?: number
  /**
   * The hash of the recipient's own session, which redeemed the link. The session of the link ends with it. Set for every
   * recipient who is not a guest.
   */
  readonly ownSession?: string
}

/** A user as an identity provider names them, unchanged, because a logout request must repeat the name exactly. */
export interface ProviderSubject {
  readonly providerId: number
  /** The protocol of the connection. */
  readonly kind: string
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  /** The provider's name for its own session. */
  readonly sessionIndex: string | null
  /** Whether the provider can end its session by that name alone, without its user. */
  readonly endsBySession?: true
}

/** The user as the provider of an earlier sign-in in the same browser names them. */
export interface CarriedSubject extends ProviderSubject {
  /** A sign-out that the provider asked for later than this ends the session, in epoch milliseconds. */
  readonly issuedAt: number
}

export const sessionCodec = createCodec<SessionRecord>('session', {
  hash: 'string',
  id: 'number',
  userId: 'number',
  credentialEpoch: 'number',
  createdAt: 'number',
  lastSeenAt: 'number',
  expiresAt: 'number',
})

/** Whether no impersonation started or stopped in a session since it was read. */
export const hasSwitchesAsRead =
  ({ switches }: Pick<SessionRecord, 'switches'>): Condition =>
  (x) =>
    switches === undefined
      ? `attribute_not_exists(${x.path('switches')})`
      : `${x.path('switches')} = ${x.value(switches)}`
