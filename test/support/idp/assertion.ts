import { bearerMethod, nameIdFormats, ns, statuses } from './names.ts'
import { attributes, escaped, newId, textElement, timeIn } from './xml.ts'

/** The sign-in request that a response answers, received or made up. */
export interface SignInTarget {
  readonly requestId: string | null
  /** The URL that the form is posted to. */
  readonly acsUrl: string
  /** The entity id of the service. */
  readonly audience: string
  readonly relayState?: string | undefined
}

/** Seconds from now; null omits the time. */
export interface Times {
  readonly issued?: number
  readonly notBefore?: number | null
  readonly notOnOrAfter?: number | null
  readonly confirmationNotBefore?: number | null
  readonly confirmationNotOnOrAfter?: number | null
  readonly authenticated?: number | null
  readonly sessionNotOnOrAfter?: number | null
}

/** How an assertion differs from a usual one. A null value omits a part. */
export interface AssertionFacts {
  readonly id?: string
  readonly version?: string | null
  readonly issuer?: string | null
  readonly nameId?: string | null
  readonly nameIdFormat?: string | null
  readonly nameQualifier?: string | null
  readonly spNameQualifier?: string | null
  /** XML instead of the whole NameID element. */
  readonly nameIdXml?: string
  readonly confirmationMethod?: string
  readonly recipient?: string | null
  readonly inResponseTo?: string | null
  /** XML instead of the whole SubjectConfirmation. */
  readonly confirmationXml?: string
  readonly audiences?: readonly string[] | null
  /** Additional XML in Conditions. */
  readonly conditionsXml?: string
  readonly times?: Times
  readonly sessionIndex?: string | null
  readonly hasAuthnStatement?: boolean
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  /** Additional XML in the AttributeStatement. */
  readonly attributesXml?: string
}

export interface ResponseFacts {
  readonly id?: string
  readonly version?: string | null
  readonly issuer?: string | null
  readonly destination?: string | null
  readonly inResponseTo?: string | null
  readonly issued?: number
  readonly status?: string | null
  readonly subStatus?: string
  readonly statusMessage?: string
}

/** Creates an unsigned assertion as identity providers write it (SAML Core 2.3.3, Profiles 4.1.4.2). */
export const assertionXml = (entityId: string, target: SignInTarget, facts: AssertionFacts = {}): string => {
  const times = { ...usualTimes, ...facts.times }
  const at = (seconds: number | null) => (seconds === null ? null : timeIn(seconds))
  const head = attributes({
    'xmlns:saml': ns.assertion,
    ID: facts.id ?? newId(),
    Version: or(facts.version, '2.0'),
    IssueInstant: timeIn(times.issued),
  })
  const conditions = attributes({ NotBefore: at(times.notBefore), NotOnOrAfter: at(times.notOnOrAfter) })
  const authn = attributes({
    AuthnInstant: at(times.authenticated),
    SessionIndex: or(facts.sessionIndex, newId()),
    SessionNotOnOrAfter: at(times.sessionNotOnOrAfter),
  })
  return [
    `<saml:Assertion${head}>`,
    textElement('saml:Issuer', or(facts.issuer, entityId)),
    `<saml:Subject>${facts.nameIdXml ?? nameIdXml(facts)}`,
    facts.confirmationXml ?? confirmationXml(target, facts, at),
    '</saml:Subject>',
    `<saml:Conditions${conditions}>${audienceXml(or(facts.audiences, [target.audience]))}${facts.conditionsXml ?? ''}</saml:Conditions>`,
    (facts.hasAuthnStatement ?? true)
      ? `<saml:AuthnStatement${authn}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
      : '',
    attributeStatementXml(facts),
    '</saml:Assertion>',
  ].join('')
}

/** Creates a response with assertions, signed or not (SAML Core 3.3.3). */
export const responseXml = (
  entityId: string,
  target: SignInTarget,
  content: string,
  facts: ResponseFacts = {},
): string => {
  const head = attributes({
    'xmlns:samlp': ns.protocol,
    'xmlns:saml': ns.assertion,
    ID: facts.id ?? newId(),
    Version: or(facts.version, '2.0'),
    IssueInstant: timeIn(facts.issued ?? 0),
    Destination: or(facts.destination, target.acsUrl),
    InResponseTo: or(facts.inResponseTo, target.requestId),
  })
  const issuer = textElement('saml:Issuer', or(facts.issuer, entityId))
  return `<samlp:Response${head}>${issuer}${statusXml(facts)}${content}</samlp:Response>`
}

export const statusXml = ({
  status,
  subStatus,
  statusMessage,
}: Pick<ResponseFacts, 'status' | 'subStatus' | 'statusMessage'>): string => {
  const code = or(status, statuses.success)
  if (code === null) return ''
  const inner = subStatus === undefined ? '' : `<samlp:StatusCode${attributes({ Value: subStatus })}/>`
  return [
    `<samlp:Status><samlp:StatusCode${attributes({ Value: code })}>${inner}</samlp:StatusCode>`,
    textElement('samlp:StatusMessage', statusMessage ?? null),
    '</samlp:Status>',
  ].join('')
}

export const nameIdXml = (
  facts: Pick<AssertionFacts, 'nameId' | 'nameIdFormat' | 'nameQualifier' | 'spNameQualifier'>,
): string =>
  textElement(
    'saml:NameID',
    or(facts.nameId, 'ada@example.com'),
    attributes({
      Format: or(facts.nameIdFormat, nameIdFormats.unspecified),
      NameQualifier: facts.nameQualifier,
      SPNameQualifier: facts.spNameQualifier,
    }),
  )

/** Creates an attribute with its values and the name format that most products send. */
export const attributeXml = (name: string, values: readonly string[]): string =>
  [
    `<saml:Attribute${attributes({ Name: name, NameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' })}>`,
    ...values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`),
    '</saml:Attribute>',
  ].join('')

const usualTimes = {
  issued: 0,
  notBefore: -300,
  notOnOrAfter: 300,
  confirmationNotBefore: null,
  confirmationNotOnOrAfter: 300,
  authenticated: -5,
  sessionNotOnOrAfter: 8 * 3600,
} satisfies Times

const or = <Value>(given: Value | null | undefined, usual: Value): Value | null =>
  given === undefined ? usual : given

const confirmationXml = (
  target: SignInTarget,
  facts: AssertionFacts,
  at: (seconds: number | null) => string | null,
): string => {
  const times = { ...usualTimes, ...facts.times }
  const data = attributes({
    InResponseTo: or(facts.inResponseTo, target.requestId),
    Recipient: or(facts.recipient, target.acsUrl),
    NotBefore: at(times.confirmationNotBefore),
    NotOnOrAfter: at(times.confirmationNotOnOrAfter),
  })
  const method = attributes({ Method: facts.confirmationMethod ?? bearerMethod })
  return `<saml:SubjectConfirmation${method}><saml:SubjectConfirmationData${data}/></saml:SubjectConfirmation>`
}

const audienceXml = (audiences: readonly string[] | null): string =>
  audiences === null
    ? ''
    : `<saml:AudienceRestriction>${audiences.map((audience) => textElement('saml:Audience', audience)).join('')}</saml:AudienceRestriction>`

const attributeStatementXml = (facts: AssertionFacts): string => {
  const all = Object.entries(facts.attributes ?? {}).map(([name, values]) =>
    attributeXml(name, typeof values === 'string' ? [values] : values),
  )
  const content = all.join('') + (facts.attributesXml ?? '')
  return content === '' ? '' : `<saml:AttributeStatement>${content}</saml:AttributeStatement>`
}
