import { callApi } from '../shared/call-api.ts'

interface Provider {
  readonly id: number
  readonly name: string
  readonly disabled_in_client: boolean
}

interface SignInOptions {
  /** Where the provider's sign-in leads to. Undefined means the start page of the user. */
  readonly returnTo: string | undefined
  /** Whether the provider asks for the password again. */
  readonly requiresSignIn: boolean
}

/** Returns the sign-in providers. The page also works without them, so errors give an empty list. */
export const fetchProviders = async (): Promise<readonly Provider[]> => {
  const path = '/api/2/auth/saml?ordering=name&limit=20'
  const response = await callApi<readonly Provider[]>('GET', path).catch(() => undefined)
  const providers = response?.isOk ? response.body : []
  return providers.filter(({ disabled_in_client: isHidden }) => !isHidden)
}

export const createProviderLink = (
  { id, name }: Provider,
  { returnTo, requiresSignIn }: SignInOptions,
): HTMLAnchorElement => {
  const query = new URLSearchParams({
    ...(returnTo === undefined ? {} : { return_to: returnTo }),
    ...(requiresSignIn ? { force_authn: 'true' } : {}),
  })
  return Object.assign(document.createElement('a'), {
    href: `/api/2/auth/saml/${id}/sso${query.size > 0 ? `?${query}` : ''}`,
    textContent: `Sign in with ${name}`,
  })
}
