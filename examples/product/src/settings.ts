/** What the product needs to know. */
export interface Settings {
  /** The origin of the product. It is also the audience of its access tokens. */
  readonly origin: string
  /** The origin of Latchkey, which is the issuer of OpenID Connect. */
  readonly latchkeyUrl: string
  readonly credentials: Credentials
}

/** What the product got when it was registered: see `register.ts`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  /** An API token of the product itself. It creates access links. */
  readonly apiToken: string
}
