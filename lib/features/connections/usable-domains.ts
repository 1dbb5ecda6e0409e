import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { isUsableDomain } from './domains.records.ts'
import type { Connection } from './records.ts'

/** The domain of an address, in the form in which domains of providers are stored. */
export const getMailDomain = (email: string): string | undefined => {
  const { address = '' } = parseMailAddress(email) ?? {}
  return address.slice(address.lastIndexOf('@') + 1) || undefined
}

/**
 * Whether an address of a provider counts as confirmed: its domain is proven for this provider, or an administrator
 * vouches for it. The domain is compared in the form that email is sent to, so that no look-alike passes. A subdomain is
 * another domain. No address of a provider counts while it is being set up.
 */
export const isUsableAddress = (
  { domains, setup }: Pick<Connection, 'domains' | 'setup'>,
  email: string,
): boolean => {
  if (setup) return false
  const domain = getMailDomain(email)
  return domains.some((one) => one.name === domain && isUsableDomain(one))
}
