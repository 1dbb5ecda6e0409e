import { nameIdXml, statusXml } from './assertion.ts'
import { ns } from './names.ts'
import { attributes, newId, textElement, timeIn } from './xml.ts'

/** How a logout request differs from a usual one. A null value omits a part. */
export interface LogoutRequestFacts {
  readonly id?: string
  readonly version?: string | null
  readonly issuer?: string | null
  readonly destination?: string | null
  /** Seconds from now. */
  readonly issued?: number
  readonly notOnOrAfter?: number | null
  readonly nameId?: string | null
  readonly nameIdFormat?: string | null
  readonly nameQualifier?: string | null
  readonly spNameQualifier?: string | null
  readonly nameIdXml?: string
  readonly sessionIndexes?: readonly string[]
  readonly extraXml?: string
}

/** Creates a LogoutRequest (SAML Core 3.7.1). The query that contains it is signed, not the XML. */
export const logoutRequestXml = (
  entityId: string,
  address: string,
  facts: LogoutRequestFacts = {},
): string => {
  const { notOnOrAfter = 300 } = facts
  const head = attributes({
    'xmlns:samlp': ns.protocol,
    'xmlns:saml': ns.assertion,
    ID: facts.id ?? newId(),
    Version: facts.version === undefined ? '2.0' : facts.version,
    IssueInstant: timeIn(facts.issued ?? 0),
    NotOnOrAfter: notOnOrAfter === null ? null : timeIn(notOnOrAfter),
    Destination: facts.destination === undefined ? address : facts.destination,
  })
  return [
    `<samlp:LogoutRequest${head}>`,
    textElement('saml:Issuer', facts.issuer === undefined ? entityId : facts.issuer),
    facts.nameIdXml ?? nameIdXml(facts),
    ...(facts.sessionIndexes ?? []).map((index) => textElement('samlp:SessionIndex', index)),
    facts.extraXml ?? '',
    '</samlp:LogoutRequest>',
  ].join('')
}

export interface LogoutResponseFacts {
  readonly id?: string
  readonly version?: string | null
  readonly issuer?: string | null
  readonly destination?: string | null
  readonly inResponseTo?: string | null
  readonly issued?: number
  readonly status?: string | null
  readonly subStatus?: string
}

/** Creates the response to a logout request of the service (SAML Core 3.7.2). */
export const logoutResponseXml = (
  entityId: string,
  address: string,
  requestId: string | null,
  facts: LogoutResponseFacts = {},
): string => {
  const head = attributes({
    'xmlns:samlp': ns.protocol,
    'xmlns:saml': ns.assertion,
    ID: facts.id ?? newId(),
    Version: facts.version === undefined ? '2.0' : facts.version,
    IssueInstant: timeIn(facts.issued ?? 0),
    Destination: facts.destination === undefined ? address : facts.destination,
    InResponseTo: facts.inResponseTo === undefined ? requestId : facts.inResponseTo,
  })
  const issuer = textElement('saml:Issuer', facts.issuer === undefined ? entityId : facts.issuer)
  return `<samlp:LogoutResponse${head}>${issuer}${statusXml(facts)}</samlp:LogoutResponse>`
}

/** Creates a sign-in request (SAML Core 3.4.1), which an identity provider should never send. */
export const authnRequestXml = (entityId: string, address: string): string => {
  const head = attributes({
    'xmlns:samlp': ns.protocol,
    'xmlns:saml': ns.assertion,
    ID: newId(),
    Version: '2.0',
    IssueInstant: timeIn(0),
    Destination: address,
  })
  return `<samlp:AuthnRequest${head}>${textElement('saml:Issuer', entityId)}</samlp:AuthnRequest>`
}
