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
 * The address that leads a browser to an identity provider with a message of ours: deflated, and signed by rsa-sha256
 * over the very characters of the query (SAML Bindings 3.4.4.1). What the address has as a query of its own stays.
 */
export const buildSignedRedirect = (address: string, message: OutgoingMessage, key: KeyObject): string => {
  const signed = `${queryWith(message)}&SigAlg=${encodeURIComponent(rsaSha256)}`
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64')
  return joined(address, `${signed}&Signature=${encodeURIComponent(signature)}`)
}

/** The same without a signature, which a request to sign in may do without, and no other message. */
export const buildUnsignedRedirect = (address: string, message: OutgoingMessage): string =>
  joined(address, queryWith(message))

const queryWith = ({ kind, xml, relayState }: OutgoingMessage): string =>
  [
    `${kind}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
  ].join('&')

const joined = (address: string, query: string): string => {
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return `${address}${joint}${query}`
}
