/** What the address asks of the page. All names but `return_to` are those of OpenID Connect Core 1.0, section 3.1.2.1. */
export interface SignInRequest {
  /** Where the person wants to go. The service decides whether it is allowed. */
  readonly returnTo: string | undefined
  /** The username or email address that the person probably uses. */
  readonly loginHint: string
  /** Whether the person has to sign in even if they are signed in. */
  readonly requiresSignIn: boolean
  /** Whether the person chooses between the account that is signed in and another one. */
  readonly offersAccounts: boolean
}

export const readSignInRequest = (): SignInRequest => {
  const query = new URLSearchParams(location.search)
  const prompts = (query.get('prompt') ?? '').split(' ')
  return {
    returnTo: query.get('return_to') ?? undefined,
    loginHint: (query.get('login_hint') ?? '').slice(0, 255),
    requiresSignIn: prompts.includes('login'),
    offersAccounts: prompts.includes('select_account'),
  }
}
