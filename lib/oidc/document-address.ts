import { clientAddressCharacters } from '../limits/limits.ts'
import { isLoopbackHost } from '../saml/web-address.ts'
import type { Config } from '../settings/config.ts'

type DocumentRules = Pick<Config, 'clientDocumentHosts' | 'allowPrivateMetadata'>

/**
 * Returns the address of a client's document if an identifier is one: https, a path, and nothing else, on a host that the setting
 * names. In local mode, the host may be this machine. The normal form is required, so that a client has one identifier.
 */
export const readDocumentAddress = (
  { clientDocumentHosts, allowPrivateMetadata }: DocumentRules,
  clientId: string,
): URL | undefined => {
  const url = clientId.length <= clientAddressCharacters ? URL.parse(clientId) : null
  if (url?.href !== clientId || !clientDocumentHosts.includes(url.host)) return undefined
  const isSecure = url.protocol === 'https:' && url.port === ''
  const isLocal = allowPrivateMetadata && /^https?:$/.test(url.protocol) && isLoopbackHost(url)
  const hasOnlyPath = !/[?#@]/.test(clientId) && url.pathname !== '/'
  return (isSecure || isLocal) && hasOnlyPath ? url : undefined
}
