/** Where each fact about a user is read from. Without an entry, it is read from the usual names. */
export interface AttributeMapping {
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly fullName?: string | undefined
  readonly groups?: string | undefined
}

/**
 * What a company connection of either kind decides about sign-ins and the answers of its identity provider. A missing field has its
 * default, which is empty.
 */
export interface ConnectionRules {
  readonly attributeMapping?: AttributeMapping | undefined
  /** One of them must be stated by each sign-in. */
  readonly requiredAuthnContexts?: readonly string[] | undefined
  /** They count as two factors. */
  readonly multiFactorAuthnContexts?: readonly string[] | undefined
  /** Whether the people with an address in its domains can sign in only with it. */
  readonly requiredForDomains?: boolean | undefined
  /** The IDs of the users who can sign in here nevertheless. */
  readonly exemptUsers?: readonly number[] | undefined
}
