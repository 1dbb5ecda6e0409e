import { type KeyObject, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { rsaSha256 } from './algorithms.ts'

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
