import { verify, X509Certificate } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TestCertificate } from '../certificates.ts'
import { type SignatureMethod, signatureMethods } from './names.ts'
import { parseMessage, type ReceivedElement } from './parse.ts'
import { signOctets } from './sign.ts'

/** The parameters of a redirect as they are written in the query. Tests omit, repeat and swap them. */
export type RawParameters = readonly (readonly [name: string, value: string])[]

export interface RedirectFacts {
  readonly relayState?: string | undefined
  readonly method?: SignatureMethod
  readonly signer?: TestCertificate
  /** The secret of an HMAC. */
  readonly secret?: string
  /** How parameters are encoded. Products differ, and the signature covers the encoded form. */
  readonly encode?: (text: string) => string
  /** The encoding of elliptic curve signatures: as in XML, or as in certificates. */
  readonly isDer?: boolean
}

/** Creates a signed query with a message (SAML Bindings 3.4.4.1). */
export const redirectParameters = (
  kind: 'SAMLRequest' | 'SAMLResponse',
  xml: string,
  signer: TestCertificate,
  facts: RedirectFacts = {},
): RawParameters => {
  const encode = facts.encode ?? encodeURIComponent
  const by = facts.signer ?? signer
  const method =
    facts.method ?? (by.keys.privateKey.algorithm.name === 'ECDSA' ? 'ecdsa-sha256' : 'rsa-sha256')
  const unsigned: RawParameters = [
    [kind, encode(deflateRawSync(xml).toString('base64'))],
    ...(facts.relayState === undefined ? [] : [['RelayState', encode(facts.relayState)] as const]),
    ['SigAlg', encode(signatureMethods[method])],
  ]
  return [
    ...unsigned,
    ['Signature', encode(signOctets(method, queryOf(unsigned), { keyPem: by.keyPem, ...facts }))],
  ]
}

export const queryOf = (parameters: RawParameters): string =>
  parameters.map(([name, value]) => `${name}=${value}`).join('&')

/** A message that the service sent by redirect, after its signature was verified. */
export interface ReceivedMessage {
  readonly kind: string
  readonly id: string
  readonly issuer: string
  readonly xml: string
  readonly root: ReceivedElement
  readonly relayState: string | undefined
  /** The destination without the message. */
  readonly address: string
}

/**
 * Reads a redirect as an identity provider does.
 *
 * @throws Error unless one of the certificates verifies the signature with rsa-sha256.
 */
export const readRedirect = (location: string, certificates: readonly string[]): ReceivedMessage => {
  const [address = '', query = ''] = location.split('?')
  const raw = query.split('&').map((pair) => pair.split('=') as [string, string])
  const own = raw.filter(([name]) => /^(SAMLRequest|SAMLResponse|RelayState|SigAlg|Signature)$/.test(name))
  const parameter = (name: string): string | undefined => {
    const found = own.filter(([candidate]) => candidate === name)
    if (found.length > 1) throw new Error(`${name} is there twice`)
    return found[0] && decodeURIComponent(found[0][1])
  }
  const octets = queryOf(own.filter(([name]) => name !== 'Signature'))
  const signature = Buffer.from(parameter('Signature') ?? '', 'base64')
  if (parameter('SigAlg') !== signatureMethods['rsa-sha256']) throw new Error('not signed by rsa-sha256')
  const isRight = certificates.some((pem) =>
    verify('sha256', Buffer.from(octets), new X509Certificate(pem).publicKey, signature),
  )
  if (!isRight) throw new Error('the signature of the redirect is wrong')
  const message = parameter('SAMLRequest') ?? parameter('SAMLResponse') ?? ''
  const xml = inflateRawSync(Buffer.from(message, 'base64')).toString('utf8')
  const root = parseMessage(xml)
  return {
    kind: root.name,
    id: root.attributes['ID'] ?? '',
    issuer: root.children.find(({ name }) => name === 'Issuer')?.text ?? '',
    xml,
    root,
    relayState: parameter('RelayState'),
    address:
      raw.length === own.length
        ? address
        : `${address}?${queryOf(raw.filter((pair) => !own.includes(pair)))}`,
  }
}
