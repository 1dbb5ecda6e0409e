export interface SessionRecord {
  readonly hash: string
  /** Random within its user: an order would cost each sign-in a write to a counter, and tell how many there were. */
  readonly id: number
  readonly userId: number
  readonly credentialEpoch: number
  /** Epoch milliseconds, as all times here. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
  /** The link that opened it, where one did: it ends with that. */
  readonly accessToken?: SessionLink
  /** Whom an identity provider signed in by it, where one did. */
  readonly saml?: SamlSubject
  /** As whom an administrator's session goes on, and until when. */
  readonly impersonation?: { readonly userId: number; readonly until: number }
}

export interface SessionLink {
  readonly id: number
  /** Opened by the link alone: then its user must stay one without a login of its own. */
  readonly isGuest: boolean
  /** Who made the link: kept here so that both can be asked for in one call. */
  readonly createdBy: number
}

/** A user as an identity provider calls it, letter by letter, since sign-out has to name it there in the same way. */
export interface SamlSubject {
  readonly providerId: number
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  /** What the provider calls its own session. */
  readonly sessionIndex: string | null
}
