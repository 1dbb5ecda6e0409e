import { samlAttributeValues, samlElements, samlXmlAttributes } from '../../core/limits.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import { readXml } from '../xml/read.ts'
import { type Check, createFinding, type Finding } from './validation-context.ts'

/*
 * What can be told of a response before any signature was verified: whether it can be read, and is of the form that
 * verifying it makes sense for. All of it is cheap, and nothing that is read here is believed.
 */

const { protocol, assertion } = namespaces

export const isBase64: Check = (dossier) => {
  const content = dossier.posted.replaceAll(/[\t\n\r ]+/g, '')
  if (content.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(content))
    return createFinding(
      'The response is not base64.',
      'Send SAMLResponse as it is in the form of the HTTP-POST binding: plain base64, not deflated.',
    )
  try {
    dossier.text = decodeXml(Buffer.from(content, 'base64'))
    return undefined
  } catch (error) {
    return xmlFinding(error)
  }
}

export const isXml: Check = (dossier) => {
  try {
    dossier.received = readXml(dossier.text)
    dossier.response = dossier.received
    return undefined
  } catch (error) {
    return xmlFinding(error)
  }
}

const xmlFinding = (error: unknown): Finding => {
  if (!(error instanceof XmlRefused)) throw error
  return createFinding(
    `The response ${error.message}.`,
    'Have the identity provider send the response as plain XML, by HTTP-POST and as it made it.',
  )
}

export const isOfBoundedSize: Check = ({ response }) => getSizeFinding(response)

/** Counted before anything that takes longer the more there is. */
export const getSizeFinding = (root: XmlElement): Finding | undefined => {
  const { elements, attributes, values } = sizeOf(root)
  if (values > samlAttributeValues)
    return createFinding(
      `The response has more than ${samlAttributeValues} attribute values.`,
      'Send fewer groups: the identity provider can filter those that concern this service.',
    )
  return elements > samlElements || attributes > samlXmlAttributes
    ? createFinding('The response is too large.', 'Send fewer attributes.')
    : undefined
}

const sizeOf = (root: XmlElement) => {
  const size = { elements: 0, attributes: 0, values: 0 }
  for (const element of everyElement(root)) {
    size.elements += 1
    size.attributes += element.attributes.size
    if (isElement(element, assertion, 'AttributeValue')) size.values += 1
  }
  return size
}

export const isResponse: Check = ({ response }) =>
  isElement(response, protocol, 'Response')
    ? undefined
    : createFinding(
        'What was sent is no SAML response.',
        'Send a samlp:Response of SAML 2.0 to the assertion URL, and logout messages to the logout URL.',
      )

export const isSuccess: Check = ({ response }) => {
  const code = getChildren(response, protocol, 'Status').flatMap((status) =>
    getChildren(status, protocol, 'StatusCode'),
  )[0]
  const value = code?.attributes.get('Value')
  if (value === 'urn:oasis:names:tc:SAML:2.0:status:Success') return undefined
  const inner = code && getChildren(code, protocol, 'StatusCode')[0]?.attributes.get('Value')
  const known = [inner, value].map(nameOfStatus).find((name) => name !== undefined)
  return createFinding(
    `The identity provider did not sign you in${known === undefined ? '' : `: it answered ${known}`}.`,
    'The log of the identity provider tells why; often the user is not assigned to this service there.',
  )
}

/** A name of ours, not a text of theirs: this is shown to somebody before any signature was looked at. */
const nameOfStatus = (value: string | undefined): string | undefined =>
  /^urn:oasis:names:tc:SAML:2\.0:status:([A-Z][A-Za-z]{2,40})$/.exec(value ?? '')?.[1]

export const hasOneAssertion: Check = ({ response }) => {
  const all = [...everyElement(response)].filter(isAssertion)
  const [only] = response.children.filter(isAssertion)
  if (all.length === 0)
    return createFinding('The response holds no assertion.', 'Have the identity provider send an assertion.')
  return only === undefined || all.length > 1
    ? createFinding(
        'The response holds several assertions, or one in a place where none belongs.',
        'Send exactly one assertion, right in the response.',
      )
    : undefined
}

export const isAssertion = (element: XmlElement): boolean =>
  isElement(element, assertion, 'Assertion') || isElement(element, assertion, 'EncryptedAssertion')

/** The assertion as it was sent, if it isn't encrypted. */
export const getPlainAssertion = (response: XmlElement): XmlElement | undefined =>
  getChildren(response, assertion, 'Assertion')[0]

export const getEncryptedAssertion = (response: XmlElement): XmlElement | undefined =>
  getChildren(response, assertion, 'EncryptedAssertion')[0]

export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* everyElement(child)
}
