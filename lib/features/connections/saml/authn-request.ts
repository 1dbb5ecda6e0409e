import { randomBytes } from 'node:crypto'
import { escapeXml } from './xml/text.ts'

/** The values of an authentication request. */
export interface AuthnRequestParameters {
  readonly serviceEntityId: string
  readonly assertionUrl: string
  readonly ssoUrl: string
  readonly nameIdFormat: string
  /** Whether the user must sign in again there, even if they have a session. */
  readonly forceAuthn: boolean
  readonly nowMs: number
  /** The user must sign in there in one of these ways. Any way is enough if there is none. */
  readonly authnContexts: readonly string[]
}

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/** Creates the ID of an outgoing message: 160 random bits after an underscore, as XML IDs need it (SAML Core 1.3.4). */
export const createMessageId = (): string => `_${randomBytes(20).toString('hex')}`

/**
 * Builds a request to sign a user in (SAML Core 3.4.1). It requests authentication contexts only if the connection
 * requires some, because a request by name can lock out users with a better one (SAML Core 3.3.2.2.1).
 */
export const buildAuthnRequest = (id: string, parameters: AuthnRequestParameters): string => {
  const attributes = {
    'xmlns:samlp': 'urn:oasis:names:tc:SAML:2.0:protocol',
    'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
    ID: id,
    Version: '2.0',
    IssueInstant: new Date(parameters.nowMs).toISOString(),
    Destination: parameters.ssoUrl,
    ...(parameters.forceAuthn ? { ForceAuthn: 'true' } : {}),
    AssertionConsumerServiceURL: parameters.assertionUrl,
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  }
  const attributeText = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
  // Some providers reject the URN for unspecified formats, so the policy is left out.
  const policy =
    parameters.nameIdFormat === unspecified
      ? ''
      : `<samlp:NameIDPolicy Format="${escapeXml(parameters.nameIdFormat)}" AllowCreate="true"/>`
  const issuer = `<saml:Issuer>${escapeXml(parameters.serviceEntityId)}</saml:Issuer>`
  const classes = parameters.authnContexts.map(
    (name) => `<saml:AuthnContextClassRef>${escapeXml(name)}</saml:AuthnContextClassRef>`,
  )
  const contexts =
    classes.length === 0
      ? ''
      : `<samlp:RequestedAuthnContext Comparison="exact">${classes.join('')}</samlp:RequestedAuthnContext>`
  return `<samlp:AuthnRequest${attributeText.join('')}>${issuer}${policy}${contexts}</samlp:AuthnRequest>`
}
