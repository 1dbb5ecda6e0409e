import { verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { redirectMessageBytes, redirectMessageLength } from '../../../../kernel/limits/saml-limits.ts'
import type { Certificate } from '../certificates.ts'
import { decodeXml } from '../xml/decode.ts'
import type { XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { XmlError } from '../xml/xml-error.ts'
import { type MessageKind, type RedirectAlgorithm, redirectAlgorithms } from './send.ts'

/** A signed message in a query, before its signature is verified. */
export interface SignedQuery {
  readonly kind: MessageKind
  /** Base64 of the deflated message. */
  readonly message: string
  readonly relayState: string | undefined
  readonly algorithm: string
  readonly signature: string
  /** The octets that the signature covers. */
  readonly signedOctets: string
}

const knownNames = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'] as const
type ParameterName = (typeof knownNames)[number]

const deflateEncoding = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE'

/**
 * Parses the message in a raw query (SAML Bindings 3.4.4.1). The signature covers the characters as they were sent, in a
 * fixed order. So everything that could be read in two ways is rejected: repeated or percent-encoded names, empty values,
 * and queries with both kinds of message.
 *
 * @throws RedirectError
 */
export const readSignedQuery = (rawQuery: string): SignedQuery => {
  const raw = parseParameters(rawQuery)
  const kinds = (['SAMLRequest', 'SAMLResponse'] as const).filter((name) => raw.has(name))
  const [kind, second] = kinds
  if (kind === undefined) throw new RedirectError('SAMLRequest', 'or SAMLResponse is required')
  if (second !== undefined) throw new RedirectError(second, 'must not be combined with SAMLRequest')
  for (const name of ['SigAlg', 'Signature'] as const)
    if (!raw.has(name)) throw new RedirectError(name, 'is missing: logout messages must be signed')
  const readParameter = (name: ParameterName): string | undefined => {
    const encoded = raw.get(name)
    return encoded === undefined ? undefined : decodeComponent(name, encoded)
  }
  return {
    kind,
    message: readParameter(kind) ?? '',
    relayState: readParameter('RelayState'),
    algorithm: readParameter('SigAlg') ?? '',
    signature: readParameter('Signature') ?? '',
    signedOctets: ([kind, 'RelayState', 'SigAlg'] as const)
      .filter((name) => raw.has(name))
      .map((name) => `${name}=${raw.get(name)}`)
      .join('&'),
  }
}

const parseParameters = (rawQuery: string): ReadonlyMap<ParameterName, string> => {
  const found = new Map<ParameterName, string>()
  for (const pair of rawQuery.split('&')) {
    const equals = pair.indexOf('=')
    const [encodedName, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const name = decodeComponent('query', encodedName)
    if (name === 'SAMLEncoding' && decodeComponent(name, value) !== deflateEncoding)
      throw new RedirectError(name, 'must be the DEFLATE encoding')
    if (!isKnownName(name)) continue
    if (name !== encodedName) throw new RedirectError(name, 'must be a plain name without percent-encoding')
    if (found.has(name)) throw new RedirectError(name, 'must not be repeated')
    if (value === '') throw new RedirectError(name, 'must not be empty')
    found.set(name, value)
  }
  return found
}

const isKnownName = (name: string): name is ParameterName =>
  knownNames.some((candidate) => candidate === name)

const decodeComponent = (name: string, text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new RedirectError(name, 'is not percent-encoded UTF-8')
  }
}

/**
 * Verifies the signature of a query with the certificates of its sender (SAML Bindings 3.4.4.1). Any of them may match,
 * so that the sender can rotate its keys.
 *
 * @throws RedirectError if none matches, or the algorithm is not allowed.
 */
export const requireSignature = (query: SignedQuery, certificates: readonly Certificate[]): void => {
  const algorithm = redirectAlgorithms.get(query.algorithm)
  if (!algorithm)
    throw new RedirectError('SigAlg', 'must be rsa-sha256, -sha384 or -sha512, or ecdsa with one of these')
  const signature = decodeBase64(query.signature)
  if (!signature || !certificates.some((one) => isSignedBy(one, algorithm, query.signedOctets, signature)))
    throw new RedirectError('Signature', 'does not match any certificate of the identity provider')
}

const isSignedBy = (
  { x509: { publicKey } }: Certificate,
  { keyType, hash }: RedirectAlgorithm,
  octets: string,
  signature: Buffer,
): boolean => {
  if (publicKey.asymmetricKeyType !== keyType) return false
  // ECDSA signatures have two encodings. SAML does not define which one queries use, and products send both.
  const encodings = keyType === 'rsa' ? (['der'] as const) : (['ieee-p1363', 'der'] as const)
  return encodings.some((dsaEncoding) =>
    verify(hash, Buffer.from(octets), { key: publicKey, dsaEncoding }, signature),
  )
}

/** Reads the message of a query whose signature was verified. Returns its root. @throws RedirectError */
export const readMessage = ({ kind, message }: SignedQuery): XmlElement => {
  if (message.length > redirectMessageLength) throw new RedirectError(kind, 'is too long')
  const deflated = decodeBase64(message)
  if (!deflated) throw new RedirectError(kind, 'is not base64')
  try {
    return readXml(decodeXml(inflate(deflated)))
  } catch (error) {
    throw error instanceof XmlError ? new RedirectError(kind, error.message) : error
  }
}

/** Stops as soon as the output exceeds the size limit of a message. */
const inflate = (bytes: Buffer): Buffer => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: redirectMessageBytes })
  } catch {
    throw new XmlError('is not deflated, or is too long after it is inflated')
  }
}

/** Decodes base64, which some products break into lines (SAML Bindings 3.4.4.1). Undefined if it is invalid. */
const decodeBase64 = (text: string): Buffer | undefined => {
  const compact = text.replaceAll(/[\t\n\r ]/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(compact) ? Buffer.from(compact, 'base64') : undefined
}

/** A rejected message in a query. The error text continues a sentence that starts with the name of the parameter. */
export class RedirectError extends Error {
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.name = 'RedirectError'
    this.parameter = parameter
  }
}
