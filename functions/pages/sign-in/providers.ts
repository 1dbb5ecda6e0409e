import { callApi } from '../shared/call-api.ts'

interface Provider {
  readonly id: number
  readonly name: string
  readonly disabled_in_client: boolean
}

/** Returns one link for each sign-in provider. The page also works without them, so errors give an empty list. */
export const fetchProviders = async (): Promise<readonly HTMLAnchorElement[]> => {
  const path = '/api/2/auth/saml?ordering=name&limit=20'
  const response = await callApi<readonly Provider[]>('GET', path).catch(() => undefined)
  const providers = response?.isOk ? response.body : []
  return providers.filter(({ disabled_in_client: isHidden }) => !isHidden).map(createProviderLink)
}

const createProviderLink = ({ id, name }: Provider): HTMLAnchorElement =>
  Object.assign(document.createElement('a'), {
    href: `/api/2/auth/saml/${id}/sso`,
    textContent: `Sign in with ${name}`,
  })
