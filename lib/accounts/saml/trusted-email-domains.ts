import { domainToASCII } from 'node:url'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { parseMailAddress } from '../common/mail-addresses.ts'

/**
 * Whether an address of a provider counts as confirmed: an administrator named its domain. The domain is compared in the
 * form that email is sent to, so that no look-alike passes. A subdomain is another domain.
 */
export const isTrustedAddress = (
  { trustedEmailDomains = [] }: Pick<SamlProviderRecord, 'trustedEmailDomains'>,
  email: string,
): boolean => {
  const { address = '' } = parseMailAddress(email) ?? {}
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return domain !== '' && trustedEmailDomains.some((trusted) => domainToASCII(trusted) === domain)
}

/** Returns what is wrong with a list of trusted domains, or undefined when it is valid. */
export const validateTrustedDomains = (domains: readonly string[]): string | undefined =>
  domains.every((domain) => domain.includes('.') && parseMailAddress(`name@${domain}`))
    ? undefined
    : 'must contain only domains such as example.com'
