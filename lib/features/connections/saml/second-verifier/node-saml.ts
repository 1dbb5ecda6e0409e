import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import type { XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'

/*
 * The only module that knows node-saml. Load it with `import()` after every other check has passed: the package is
 * large, and its cost must not be available to unsigned messages.
 */

/** The values that node-saml needs to verify a response. */
export interface SecondCheck {
  /** PEM certificates; any of them may have signed. */
  readonly pems: readonly string[]
  readonly serviceEntityId: string
  readonly assertionUrl: string
  /** The audience exactly as the assertion writes it, with surrounding whitespace. */
  readonly audience: string
  readonly requiredSignatures: RequiredSignatures
}

/** Which parts must have a valid signature. */
export interface RequiredSignatures {
  readonly response: boolean
  readonly assertion: boolean
}

/** The library fails if an optional end time is missing. This service checks times itself, so they are ignored here. */
class SignatureVerifier extends SAML {
  protected override calcMaxAgeAssertionTime(): number {
    return 0
  }
}

/** The library skips every comparison of times for this value. */
const withoutClock = -1

/** No state is kept between messages. */
const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
}

/**
 * Returns the assertion of a response as node-saml read it from signed octets, or undefined if node-saml refuses the
 * response. `text` must have been read by `readXml` before.
 */
export const readAssertionWithNodeSaml = (
  text: string,
  { pems, serviceEntityId, assertionUrl, audience, requiredSignatures }: SecondCheck,
): Promise<XmlElement | undefined> =>
  readUnlessRefused(async () => {
    const verifier = new SignatureVerifier({
      idpCert: [...pems],
      issuer: serviceEntityId,
      callbackUrl: assertionUrl,
      audience,
      acceptedClockSkewMs: withoutClock,
      validateInResponseTo: ValidateInResponseTo.never,
      cacheProvider: noCache,
      wantAuthnResponseSigned: requiredSignatures.response,
      wantAssertionsSigned: requiredSignatures.assertion,
    })
    const posted = Buffer.from(escapeLineSeparators(text)).toString('base64')
    const { profile } = await verifier.validatePostResponseAsync({ SAMLResponse: posted })
    return profile?.getAssertionXml?.()
  })

/** Returns the root of a signed document as node-saml read it, or undefined if node-saml refuses its signature. */
export const readSignedRootWithNodeSaml = (
  text: string,
  pems: readonly string[],
): Promise<XmlElement | undefined> =>
  readUnlessRefused(async () => {
    const document = await parseDomFromString(escapeLineSeparators(text))
    return getVerifiedXml(escapeLineSeparators(text), document.documentElement, [...pems]) ?? undefined
  })

/** The library throws plain errors whose texts quote the message, so they are not passed on. */
const readUnlessRefused = async (
  read: () => Promise<string | undefined>,
): Promise<XmlElement | undefined> => {
  try {
    const signed = await read()
    return signed === undefined ? undefined : readXml(signed)
  } catch {
    return undefined
  }
}

/**
 * The library reads these two characters as line ends, as XML 1.1 does. A character reference keeps them, and
 * canonicalization turns it into the character again.
 */
const escapeLineSeparators = (text: string): string =>
  text.replaceAll('\u0085', '&#x85;').replaceAll('\u2028', '&#x2028;')
