import { readMetadataAddress } from '../../saml/web-address.ts'
import type { Config } from '../../settings/config.ts'
import { getFetchRules } from '../saml/provider-validation.ts'

/** Hosts of Entra ID. Its issuers name a tenant. */
const entraHosts = [
  'login.microsoftonline.com',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]
/** What stands for several tenants. The last one is the tenant of all personal accounts. */
const sharedTenants = [
  'common',
  'organizations',
  'consumers',
  '{tenantid}',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]

export const googleIssuer = 'https://accounts.google.com'

/**
 * Returns what is wrong with an issuer, or undefined if it is valid. The issuer of all tenants of Entra ID is refused:
 * an administrator of any tenant could then assert any address.
 */
export const validateIssuer = (config: Config, issuer: string): string | undefined => {
  const address = readMetadataAddress(issuer, getFetchRules(config))
  if (typeof address === 'string') return address
  const { hostname, pathname, search } = address.url
  if (search !== '' || issuer.includes('#')) return 'must not have a query or a fragment'
  if (issuer.includes('/.well-known/')) return 'must be the issuer, without /.well-known/…'
  const tenant = decodeTenant(pathname.split('/')[1] ?? '')
  if (entraHosts.includes(hostname) && (tenant === '' || sharedTenants.includes(tenant)))
    return 'must name one tenant of Entra ID by its ID, because everyone can have an account in the others'
  return undefined
}

const decodeTenant = (text: string): string => {
  try {
    return decodeURIComponent(text).toLowerCase()
  } catch {
    return ''
  }
}
