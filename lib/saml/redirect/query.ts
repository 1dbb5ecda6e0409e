import { RedirectRefused } from './faults.ts'
import type { MessageKind } from './send.ts'

/** A signed message in a query, as it came: nothing of it is proven yet. */
export interface SignedQuery {
  readonly kind: MessageKind
  /** Base64 of the deflated message. */
  readonly message: string
  readonly relayState: string | undefined
  readonly algorithm: string
  readonly signature: string
  /** What the signature is over. */
  readonly signedOctets: string
}

const known = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'] as const
type Name = (typeof known)[number]

const deflate = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE'

/**
 * Takes the message of a raw query apart (SAML Bindings 3.4.4.1). The signature is over the characters that were sent,
 * in an order of its own; so whatever could be read in two ways is refused: a name twice, or in another spelling, an
 * empty value, both kinds of message.
 *
 * @throws RedirectRefused
 */
export const readSignedQuery = (rawQuery: string): SignedQuery => {
  const raw = parametersOf(rawQuery)
  const kinds = (['SAMLRequest', 'SAMLResponse'] as const).filter((name) => raw.has(name))
  const [kind, second] = kinds
  if (kind === undefined) throw new RedirectRefused('SAMLRequest', 'or SAMLResponse must be there')
  if (second !== undefined) throw new RedirectRefused(second, 'must not be there along with SAMLRequest')
  for (const name of ['SigAlg', 'Signature'] as const)
    if (!raw.has(name)) throw new RedirectRefused(name, 'is missing: logout messages must be signed')
  const parameter = (name: Name): string | undefined => {
    const written = raw.get(name)
    return written === undefined ? undefined : decoded(name, written)
  }
  return {
    kind,
    message: parameter(kind) ?? '',
    relayState: parameter('RelayState'),
    algorithm: parameter('SigAlg') ?? '',
    signature: parameter('Signature') ?? '',
    signedOctets: ([kind, 'RelayState', 'SigAlg'] as const)
      .filter((name) => raw.has(name))
      .map((name) => `${name}=${raw.get(name)}`)
      .join('&'),
  }
}

const parametersOf = (rawQuery: string): ReadonlyMap<Name, string> => {
  const found = new Map<Name, string>()
  for (const pair of rawQuery.split('&')) {
    const equals = pair.indexOf('=')
    const [written, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const name = decoded('query', written)
    if (name === 'SAMLEncoding' && decoded(name, value) !== deflate)
      throw new RedirectRefused(name, 'must be that of DEFLATE')
    if (!isKnown(name)) continue
    if (name !== written) throw new RedirectRefused(name, 'must be written without percent signs')
    if (found.has(name)) throw new RedirectRefused(name, 'is there more than once')
    if (value === '') throw new RedirectRefused(name, 'must not be empty')
    found.set(name, value)
  }
  return found
}

const isKnown = (name: string): name is Name => known.some((candidate) => candidate === name)

const decoded = (name: string, text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new RedirectRefused(name, 'is not percent-encoded UTF-8')
  }
}
