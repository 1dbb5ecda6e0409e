/** What the person sent so far. The last request repeats all of it, because the service keeps nothing in between. */
export interface Credentials {
  readonly username: string
  readonly password: string
  readonly otp?: string
  readonly newPassword?: string
}

/** Who is signed in, as the page shows them. */
export interface SignedIn {
  readonly name: string
  readonly isGuest: boolean
  readonly canAdminister: boolean
}

/** What the page shows. */
export type Step =
  | { readonly name: 'credentials'; readonly notice?: string; readonly problem?: string }
  | { readonly name: 'code'; readonly credentials: Credentials; readonly passkeyToken: string | undefined }
  | { readonly name: 'passkey'; readonly credentials: Credentials; readonly passkeyToken: string | undefined }
  | { readonly name: 'newPassword'; readonly credentials: Credentials }
  | { readonly name: 'setup'; readonly login: SetupLogin }
  | { readonly name: 'emailCode'; readonly username: string; readonly requestId: string }
  | { readonly name: 'forgotPassword'; readonly username: string }
  | { readonly name: 'disabled' }
  | { readonly name: 'signedIn' | 'leaving'; readonly user: SignedIn; readonly problem?: string }

/** The request that opens a session for the setup of a second factor. */
export interface SetupLogin {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}
