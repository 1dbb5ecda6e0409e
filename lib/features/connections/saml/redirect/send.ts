import { type KeyObject, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

export type MessageKind = 'SAMLRequest' | 'SAMLResponse'

export interface OutgoingMessage {
  readonly kind: MessageKind
  readonly xml: string
  readonly relayState?: string | undefined
}

/**
 * Builds the URL that sends a browser to an identity provider with a message. The message is deflated, and rsa-sha256
 * signs the exact characters of the query (SAML Bindings 3.4.4.1). A query that the address already has is kept.
 */
export const buildSignedRedirect = (address: string, message: OutgoingMessage, key: KeyObject): string => {
  const signedQuery = `${buildQuery(message)}&SigAlg=${encodeURIComponent(rsaSha256)}`
  const signature = sign('sha256', Buffer.from(signedQuery), key).toString('base64')
  return appendQuery(address, `${signedQuery}&Signature=${encodeURIComponent(signature)}`)
}

/** Builds the same URL without a signature. Only sign-in requests may be unsigned. */
export const buildUnsignedRedirect = (address: string, message: OutgoingMessage): string =>
  appendQuery(address, buildQuery(message))

const buildQuery = ({ kind, xml, relayState }: OutgoingMessage): string =>
  [
    `${kind}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
  ].join('&')

const appendQuery = (address: string, query: string): string => {
  const separator = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return `${address}${separator}${query}`
}

const more = 'http://www.w3.org/2001/04/xmldsig-more#'

const rsaSha256 = `${more}rsa-sha256`

export interface RedirectAlgorithm {
  readonly keyType: 'rsa' | 'ec'
  readonly hash: 'sha256' | 'sha384' | 'sha512'
}

/** The signature algorithms for queries. SHA-1 is unsafe, and with HMAC the key would be a public certificate. */
export const redirectAlgorithms = new Map<string, RedirectAlgorithm>(
  Object.entries({
    [rsaSha256]: { keyType: 'rsa', hash: 'sha256' },
    [`${more}rsa-sha384`]: { keyType: 'rsa', hash: 'sha384' },
    [`${more}rsa-sha512`]: { keyType: 'rsa', hash: 'sha512' },
    [`${more}ecdsa-sha256`]: { keyType: 'ec', hash: 'sha256' },
    [`${more}ecdsa-sha384`]: { keyType: 'ec', hash: 'sha384' },
    [`${more}ecdsa-sha512`]: { keyType: 'ec', hash: 'sha512' },
  }),
)
