/** What an identity provider proved about a user, by an answer that passed all checks of its protocol. */
export interface ProvenIdentity {
  readonly id: string
  /** Epoch milliseconds, like all times here. */
  readonly issuedAt: number
  /** When the user signed in at the identity provider, by its clock. With an existing session there, it is long ago. */
  readonly authenticatedAt: number
  /** Whether a public provider did not say when that was. `authenticatedAt` is then the time of its answer. */
  readonly isTimeUnknown?: true
  /** How the user signed in at the identity provider: classes (SAML Core 2.7.2.2), or values of `acr` and `amr`. */
  readonly authnContexts: readonly string[]
  /** Until when the answer could be used again, without the tolerance for clock skew. */
  readonly usableUntil: number
  readonly subject: {
    readonly nameId: string
    readonly nameIdFormat: string | null
    readonly nameQualifier: string | null
    readonly spNameQualifier: string | null
    /** The ID of the session at the identity provider. */
    readonly sessionIndex: string | null
    /** Whether the identity provider can end that session by its ID alone, without its user. */
    readonly endsBySession?: true
  }
  /** The attribute that identifies the user instead of the name of the subject, else null. */
  readonly identifier: Identifier | null
  /** Whether a public provider is the authority for the address, so that it counts as confirmed. */
  readonly isAddressProven?: true
  /** The refresh token of Apple, encrypted for the account. */
  readonly refreshToken?: { readonly cipher: string }
  /** The end of the session at the identity provider, if the answer contains it. */
  readonly sessionEndsAt: number | null
  readonly attributes: readonly Attribute[]
}

/** An attribute that names a user. */
export interface Identifier {
  readonly attribute: string
  readonly value: string
}

/** An attribute (SAML Core 2.7.3.1), or a claim. */
export interface Attribute {
  readonly name: string
  readonly friendlyName: string | null
  readonly values: readonly string[]
}
