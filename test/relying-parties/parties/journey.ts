/** What a journey works with. */
export interface Given {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly signedOutUrl: string
  /** Opens an address in the browser of a user who is signed in, and returns the address at the product it leads to. */
  readonly browse: (url: URL) => Promise<URL>
  /** Ends all sessions of the user. */
  readonly endSessions: () => Promise<void>
}

/** What a journey found. */
export interface Findings {
  readonly claims: { readonly sub: unknown; readonly hasSid: boolean; readonly amr: unknown }
  readonly userinfo: { readonly sub: unknown; readonly username: unknown; readonly email: unknown }
  readonly accessToken: { readonly sub: unknown; readonly clientId: unknown }
  readonly wasActive: boolean
  readonly isActiveAfterwards: boolean
  readonly refreshAfterRevocation: unknown
  readonly leftTo: string
}

/** What happens to a client that pushes its requests and binds its tokens to a key. */
export interface BoundFindings {
  /** The parameters that the browser brings. */
  readonly brought: readonly string[]
  readonly tokenType: string
  readonly subject: string | undefined
  /** Userinfo with the refreshed token: of its owner, without a proof, and with the key of another. */
  readonly userinfo: readonly string[]
  /** A request whose parameters the browser brings. */
  readonly notPushed: string | null
}

/** What a client learns about the organizations of its user. */
export interface OrganizationFindings {
  /** The claims `org_id`, `org_slug` and `org_roles`: of the sign-in, and after a refresh for the other one. */
  readonly claims: readonly unknown[]
  /** Of the first refresh token, after it led to another organization. */
  readonly stillFor: unknown
  /** An organization that the user is not in, asked for by an authorization and by a refresh. */
  readonly refused: readonly unknown[]
}
