import { invitationProviders } from '../../limits/limits.ts'
import type { Services } from '../../services.ts'
import type { StoredSignInPolicy } from '../../store/directory/sign-in-policy.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import { readSamlProviderPages } from '../../store/saml/saml-provider-pages.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { isUsableAddress } from '../saml/usable-domains.ts'
import { requireNoProvider } from '../sign-in/required-sign-in.ts'

const providersPerCall = 100
/** A page of an invitation must not read any number of providers. */
const providersRead = 300

/**
 * The identity providers that the user can accept an invitation with: those that an administrator trusts for the domain of
 * their address. Providers that are hidden on pages are left out.
 */
export const findUsableProviders = async (
  { table }: Services,
  { email }: Pick<UserRecord, 'email'>,
): Promise<readonly SamlProviderRecord[]> => {
  const usable: SamlProviderRecord[] = []
  let read = 0
  for await (const providers of readSamlProviderPages(table, providersPerCall)) {
    usable.push(
      ...providers.filter(
        (provider) => !provider.disabledInClient && email !== null && isUsableAddress(provider, email),
      ),
    )
    read += providersPerCall
    if (usable.length >= invitationProviders || read >= providersRead) break
  }
  return usable.slice(0, invitationProviders)
}

/** The link proves the address, which waits for a confirmation until the invitation is accepted. */
export const requireNoProviderForInvited = (
  services: Services,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
  policy: StoredSignInPolicy | undefined,
): Promise<void> => requireNoProvider(services, policy, { id, email }, 'permission_denied')
