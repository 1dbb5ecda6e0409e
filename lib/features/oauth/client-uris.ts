import type { ClientRecord, ClientType } from './clients.records.ts'

/*
 * Addresses of clients are compared as they are (RFC 9700 2.1), so they are stored in the one form that browsers and
 * servers parse alike.
 */

type RegisteredClient = Pick<ClientRecord, 'type' | 'redirect_uris'>

/**
 * Whether a client registered a redirect URI. An app on the user's machine gets a free port from the system, so that any port
 * of a registered loopback IP address is accepted (RFC 8252 7.3). Anything may listen on `localhost`, and its port counts. Only
 * agents that describe themselves publish it without a port and mean any: they cannot register each one, and the user is asked.
 */
export const isRedirectUriOf = (
  { type, redirect_uris: redirectUris, document }: RegisteredClient & Pick<ClientRecord, 'document'>,
  uri: string,
): boolean => {
  if (redirectUris.includes(uri)) return true
  const portless = type === 'public' || document ? removeLoopbackPort(uri) : undefined
  if (portless === undefined) return false
  return portless.startsWith('http://localhost')
    ? document !== undefined && redirectUris.includes(portless)
    : redirectUris.some((known) => removeLoopbackPort(known) === portless)
}

const loopbackPattern = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?([/?].*)$/

/** Undefined if the address is not of a loopback address, as browsers write it. */
const removeLoopbackPort = (uri: string): string | undefined => {
  const [, host, port = '80', rest] = loopbackPattern.exec(uri) ?? []
  return host === undefined || Number(port) > 65_535 ? undefined : `http://${host}${rest}`
}

/**
 * Whether a code goes to where any program of the user's machine can pretend to be the client: a public client has no secret, and a
 * loopback address or the scheme of an app belongs to no one (RFC 8252 8.6).
 */
const isUnprovenTarget = ({ type }: Pick<ClientRecord, 'type'>, redirectUri: string): boolean =>
  type === 'public' && !redirectUri.startsWith('https:')

/** Whether a user has to agree to each authorization of a client: it describes itself, or another program could pretend to be it. */
export const needsAgreement = (
  client: Pick<ClientRecord, 'type' | 'document'>,
  { redirect_uri: redirectUri = '' }: Readonly<Record<string, string>>,
): boolean => client.document !== undefined || isUnprovenTarget(client, redirectUri)

/** The origins of the pages of a public client: those of its redirect URIs that are web addresses. */
export const listPageOrigins = ({
  type,
  redirect_uris: redirectUris,
}: RegisteredClient): readonly string[] =>
  type === 'public'
    ? redirectUris.filter((uri) => /^https?:/i.test(uri)).map((uri) => new URL(uri).origin)
    : []

/**
 * The schemes of known programs that name no domain. Any other program of the machine can claim them, so users are always asked, and
 * only an administrator registers them.
 */
const programSchemes = ['cursor', 'vscode', 'vscode-insiders'] as const

const isProgramScheme = (protocol: string): boolean =>
  programSchemes.some((scheme) => protocol === `${scheme}:`)

/** The rule that a redirect URI breaks, or undefined if it is valid. */
export const findRedirectUriError = (text: string, type: ClientType): string | undefined => {
  const url = parseUri(text)
  if (typeof url === 'string') return url
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return isLoopback(url) ? undefined : 'must be https, or http to a loopback address'
  if (isProgramScheme(url.protocol))
    return type === 'public' ? undefined : 'must be https, because only public clients are apps'
  // RFC 8252 7.1: the reversed domain name of the app, and one slash.
  if (!/^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:$/.test(url.protocol) || !text.startsWith(`${url.protocol}/`))
    return 'must be https, http to a loopback address, or of a scheme such as com.example.app:/callback'
  return type === 'public' ? undefined : 'must be https, because only public clients are apps'
}

/** The rule that a back-channel logout URI breaks, or undefined if it is valid. */
export const findBackchannelUriError = (text: string, publicUrl: string): string | undefined => {
  const url = parseUri(text)
  if (typeof url === 'string') return url
  if (url.protocol === 'https:') return undefined
  // The loopback address of a Lambda function leads nowhere.
  const isLocal = publicUrl.startsWith('http:') && url.protocol === 'http:' && isLoopback(url)
  return isLocal ? undefined : 'must be https'
}

/**
 * A domain name or an IP address. Browsers also accept `;`, `,` and `$` in a host, which would change the headers of pages
 * that name it.
 */
const hostPattern = /^([a-z\d_]([a-z\d_-]*[a-z\d_])?\.)*[a-z\d_]([a-z\d_-]*[a-z\d_])?\.?$|^\[[\da-f:]+\]$/

/** The source that allows an address in a content security policy. Undefined if its host cannot be part of one. */
export const buildPolicySource = (address: string): string | undefined => {
  const { protocol, hostname, origin } = new URL(address)
  // Addresses of apps have a scheme and no origin. It consists of letters, digits, dots and hyphens.
  if (origin === 'null') return protocol
  return hostPattern.test(hostname) ? origin : undefined
}

const parseUri = (text: string): URL | string => {
  const url = URL.parse(text)
  if (!url) return 'must be an absolute URI'
  if (text.includes('#')) return 'must not have a fragment'
  if (text.includes('*')) return 'must not have a wildcard'
  if (url.username || url.password) return 'must not contain credentials'
  if (url.hostname !== '' && !hostPattern.test(url.hostname))
    return 'must have a host of letters, digits, hyphens and dots'
  // An origin without a path is common.
  return url.href === text || url.href === `${text}/` ? url : `must be in its normal form: ${url.href}`
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
