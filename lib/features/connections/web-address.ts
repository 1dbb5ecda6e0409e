import { metadataUrlLength } from '../../kernel/limits/connection-limits.ts'

/** Returns the host of a URL: an address without brackets, or a name without the dot at its end. */
export const readHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Whether the URL itself names this machine, without resolving names. URL parsing has already normalized the host. */
export const isLoopbackHost = (url: URL): boolean => {
  const host = readHost(url)
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

export interface AddressRules {
  /** Whether http is allowed for addresses of this machine, because the service itself runs on http. */
  readonly allowsLoopback: boolean
}

/**
 * Validates an address that browsers are sent to. Returns an error that continues a sentence after the field's name, or
 * undefined. Only https is allowed, so that no one on the way can read or answer the requests.
 */
export const validateWebAddress = (text: string, { allowsLoopback }: AddressRules): string | undefined => {
  const url = parseStrictly(text)
  if (!url) return 'must be a URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment'
  const isHttps = url.protocol === 'https:'
  if (isHttps || (url.protocol === 'http:' && allowsLoopback && isLoopbackHost(url))) return undefined
  return `must start with https://${allowsLoopback ? ', or with http:// for this machine' : ''}`
}

/** The URL of metadata, and the entity that its fragment names. */
export interface MetadataAddress {
  readonly url: URL
  readonly entityId: string | undefined
}

/**
 * Reads the URL of metadata: https on port 443, without a username. If loopback is allowed, addresses of this machine
 * may use any port and http. Returns an error that continues a sentence after the field's name if the URL is invalid.
 */
export const readMetadataAddress = (
  text: string,
  { allowsLoopback }: AddressRules,
): MetadataAddress | string => {
  if (text.length > metadataUrlLength) return `must be at most ${metadataUrlLength} characters long`
  const url = parseStrictly(text)
  if (!url) return 'must be a URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  const isLoopback = allowsLoopback && isLoopbackHost(url)
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:'))
    return 'must start with https://'
  if (url.port !== '' && !isLoopback) return 'must not have a port other than 443'
  const entityId = decodeFragment(url)
  url.hash = ''
  return { url, entityId }
}

/** Rejects texts that the URL parser would silently change, such as texts with tabs or line ends. */
const parseStrictly = (text: string): URL | undefined =>
  /[\s\p{C}\\]/u.test(text) ? undefined : (URL.parse(text) ?? undefined)

const decodeFragment = ({ hash }: URL): string | undefined => {
  if (hash.length < 2) return undefined
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
