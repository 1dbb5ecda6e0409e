import { RedirectError } from './redirect-error.ts'
import type { MessageKind } from './send.ts'

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
