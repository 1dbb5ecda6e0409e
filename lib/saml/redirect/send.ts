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
export const redirectWith = (
  address: string,
  { kind, xml, relayState }: OutgoingMessage,
  key: KeyObject,
): string => {
  const signed = [
    `${kind}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    `SigAlg=${encodeURIComponent(rsaSha256)}`,
  ].join('&')
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64')
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return `${address}${joint}${signed}&Signature=${encodeURIComponent(signature)}`
}
