import { metadataUrlLength } from '../core/limits.ts'

/** The host of a URL as an address is written, without brackets, and a name without the dot at its end. */
export const readHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Whether the URL leads to this machine by what it says, whatever a name may resolve to; a parsed one has one spelling. */
export const isLoopbackHost = (url: URL): boolean => {
  const host = readHost(url)
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** What a web address may be. */
export interface AddressRules {
  /** Whether http counts as well, where the address is of this machine: for a service that is itself on plain http. */
  readonly allowsLoopback: boolean
}

/**
 * Why a browser can't be sent to an address, as a sentence that goes on from the field's name; undefined if it can.
 * Nothing but https, so that nobody on the way reads or answers instead.
 */
export const validateWebAddress = (text: string, { allowsLoopback }: AddressRules): string | undefined => {
  const url = parseStrictly(text)
  if (!url) return 'must be a URL'
  if (url.username !== '' || url.password !== '') return 'must hold no username or password'
  if (url.hash !== '' || text.includes('#')) return 'must have no fragment'
  const isHttps = url.protocol === 'https:'
  if (isHttps || (url.protocol === 'http:' && allowsLoopback && isLoopbackHost(url))) return undefined
  return `must begin with https://${allowsLoopback ? ', or with http:// for this machine' : ''}`
}

/** The address of metadata, and the entity that its fragment names. */
export interface MetadataAddress {
  readonly url: URL
  readonly entityId: string | undefined
}

/**
 * Reads the address that metadata is to be fetched from: https on its own port, nobody's name in it. Where loopback is
 * allowed, this machine may serve it on any port, and without TLS.
 */
export const readMetadataAddress = (
  text: string,
  { allowsLoopback }: AddressRules,
): MetadataAddress | string => {
  if (text.length > metadataUrlLength) return `must be at most ${metadataUrlLength} characters long`
  const url = parseStrictly(text)
  if (!url) return 'must be a URL'
  if (url.username !== '' || url.password !== '') return 'must hold no username or password'
  const isOurs = allowsLoopback && isLoopbackHost(url)
  if (url.protocol !== 'https:' && !(isOurs && url.protocol === 'http:')) return 'must begin with https://'
  if (url.port !== '' && !isOurs) return 'must have no port but 443'
  const entityId = fragmentOf(url)
  url.hash = ''
  return { url, entityId }
}

/** A parser would take line ends and tabs out of the middle and blanks off the ends: then it isn't what was written. */
const parseStrictly = (text: string): URL | undefined =>
  /[\s\p{C}\\]/u.test(text) ? undefined : (URL.parse(text) ?? undefined)

const fragmentOf = ({ hash }: URL): string | undefined => {
  if (hash.length < 2) return undefined
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
