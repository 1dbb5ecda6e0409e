/** A client at the service, and where its server listens. */
export interface Registration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
}

/** Opens an address in the browser of a user who is signed in, and returns the address at the product it leads to. */
export type Browse = (url: URL) => Promise<URL>

type BuildApp = (registration: Registration) => unknown
type SignIn = (registration: Registration, browse: Browse) => Promise<string>

/** What `libraries.ts` does with each library. */
export interface Libraries {
  /** Listens as a server of Express, whose `/` shows the subject of the user. Returns what closes it. */
  readonly listen: (app: never, registration: Registration) => Promise<() => Promise<void>>
  readonly buildPassportApp: BuildApp
  readonly buildExpressOpenIdConnectApp: BuildApp
  /** Returns the subject of the user. */
  readonly signInWithArctic: SignIn
  readonly signInWithOauth4webapi: SignIn
}
