/** What the product needs to know. */
export interface Settings {
  /** The origin of the product. It is also the audience of its access tokens. */
  readonly origin: string
  /** The origin of Latchkey, which is the issuer of OpenID Connect. */
  readonly latchkeyUrl: string
  readonly credentials: Credentials
}

/** What Latchkey gave to the product: see `latchkey.config.ts` and `examples/product/infra/product.ts`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  /** The API token of a service account. It creates access links. */
  readonly apiToken: string
}
