import { randomBytes } from 'node:crypto'
import { escapeXml } from './xml/escape.ts'

/** What an identity provider is asked for. */
export interface AuthnRequestFacts {
  readonly serviceEntityId: string
  readonly assertionUrl: string
  readonly ssoUrl: string
  readonly nameIdFormat: string
  /** Whether the user has to prove itself anew there, whatever session it has. */
  readonly forceAuthn: boolean
  readonly nowMs: number
}

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/** An id for a message of ours: 160 random bits, and a letter in front, since it is an XML id (SAML Core 1.3.4). */
export const createMessageId = (): string => `_${randomBytes(20).toString('hex')}`

/**
 * A request to sign a user in (SAML Core 3.4.1). It asks for no particular way of proving who one is: which ways are
 * strong enough is for the identity provider to say, and asking for one by name locks out whoever has a better one.
 */
export const buildAuthnRequest = (id: string, facts: AuthnRequestFacts): string => {
  const attributes = {
    'xmlns:samlp': 'urn:oasis:names:tc:SAML:2.0:protocol',
    'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
    ID: id,
    Version: '2.0',
    IssueInstant: new Date(facts.nowMs).toISOString(),
    Destination: facts.ssoUrl,
    ...(facts.forceAuthn ? { ForceAuthn: 'true' } : {}),
    AssertionConsumerServiceURL: facts.assertionUrl,
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  }
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
  // What isn't specified is not asked for: some providers take the URN for a wish they can't fulfil.
  const policy =
    facts.nameIdFormat === unspecified
      ? ''
      : `<samlp:NameIDPolicy Format="${escapeXml(facts.nameIdFormat)}" AllowCreate="true"/>`
  const issuer = `<saml:Issuer>${escapeXml(facts.serviceEntityId)}</saml:Issuer>`
  return `<samlp:AuthnRequest${written.join('')}>${issuer}${policy}</samlp:AuthnRequest>`
}
