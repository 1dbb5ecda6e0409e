import {
  samlAttributeValues,
  samlElements,
  samlXmlAttributes,
} from '../../../../kernel/limits/saml-limits.ts'
import { decodeXml } from '../xml/decode.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { XmlError } from '../xml/xml-error.ts'
import { type Check, createFinding, type Finding } from './validation-context.ts'

/*
 * Checks that run before any signature is verified: whether the response can be read, and whether it has a form that
 * is worth verifying. All of them are cheap, and nothing that they read is trusted.
 */

const { protocol, assertion } = namespaces

export const checkEncoding: Check = (context) => {
  const base64 = context.posted.replaceAll(/[\t\n\r ]+/g, '')
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return createFinding(
      'The response is not base64.',
      'Send SAMLResponse as the HTTP-POST binding defines it: plain base64, not deflated.',
    )
  try {
    context.text = decodeXml(Buffer.from(base64, 'base64'))
    return undefined
  } catch (error) {
    return toFinding(error)
  }
}

export const checkXml: Check = (context) => {
  try {
    context.received = readXml(context.text)
    context.response = context.received
    return undefined
  } catch (error) {
    return toFinding(error)
  }
}

const toFinding = (error: unknown): Finding => {
  if (!(error instanceof XmlError)) throw error
  return createFinding(
    `The response ${error.message}.`,
    'Set the identity provider to send the response as plain XML over HTTP-POST, without changing it on the way.',
  )
}

export const checkSize: Check = ({ response }) => checkElementSize(response)

/** Checks the size of an element before any work that takes longer for larger elements. */
export const checkElementSize = (root: XmlElement): Finding | undefined => {
  const { elements, attributes, values } = measure(root)
  if (values > samlAttributeValues)
    return createFinding(
      `The response has more than ${samlAttributeValues} attribute values.`,
      'Send fewer groups. The identity provider can limit them to those that this service needs.',
    )
  return elements > samlElements || attributes > samlXmlAttributes
    ? createFinding('The response is too large.', 'Send fewer attributes.')
    : undefined
}

const measure = (root: XmlElement) => {
  const size = { elements: 0, attributes: 0, values: 0 }
  for (const element of iterateElements(root)) {
    size.elements += 1
    size.attributes += element.attributes.size
    if (isElement(element, assertion, 'AttributeValue')) size.values += 1
  }
  return size
}

export const checkMessageType: Check = ({ response }) =>
  isElement(response, protocol, 'Response')
    ? undefined
    : createFinding(
        'The message is not a SAML response.',
        'Send a samlp:Response of SAML 2.0 to the assertion URL, and logout messages to the logout URL.',
      )

const getStatusCode = (response: XmlElement): XmlElement | undefined =>
  getChildren(response, protocol, 'Status').flatMap((status) =>
    getChildren(status, protocol, 'StatusCode'),
  )[0]

export const isSuccess = (response: XmlElement): boolean =>
  getStatusCode(response)?.attributes.get('Value') === 'urn:oasis:names:tc:SAML:2.0:status:Success'

export const checkStatus: Check = ({ response }) => {
  if (isSuccess(response)) return undefined
  const code = getStatusCode(response)
  const value = code?.attributes.get('Value')
  const innerValue = code && getChildren(code, protocol, 'StatusCode')[0]?.attributes.get('Value')
  const name = [innerValue, value].map(readStatusName).find((status) => status !== undefined)
  return createFinding(
    `The identity provider did not sign you in${name === undefined ? '' : `: it answered ${name}`}.`,
    'See the log of the identity provider for the cause. Often the user is not assigned to this service there.',
  )
}

/** Only the name of a SAML status, and no other text: it is shown before any signature is verified. */
const readStatusName = (value: string | undefined): string | undefined =>
  /^urn:oasis:names:tc:SAML:2\.0:status:([A-Z][A-Za-z]{2,40})$/.exec(value ?? '')?.[1]

export const checkAssertionCount: Check = ({ response }) => {
  const all = [...iterateElements(response)].filter(isAssertion)
  const [direct] = response.children.filter(isAssertion)
  if (all.length === 0)
    return createFinding(
      'The response contains no assertion.',
      'Set the identity provider to send an assertion.',
    )
  return direct === undefined || all.length > 1
    ? createFinding(
        'The response contains several assertions, or one in the wrong place.',
        'Send exactly one assertion, as a direct child of the response.',
      )
    : undefined
}

export const isAssertion = (element: XmlElement): boolean =>
  isElement(element, assertion, 'Assertion') || isElement(element, assertion, 'EncryptedAssertion')

/** Returns the assertion as it was sent, unless it is encrypted. */
export const getPlainAssertion = (response: XmlElement): XmlElement | undefined =>
  getChildren(response, assertion, 'Assertion')[0]

export const getEncryptedAssertion = (response: XmlElement): XmlElement | undefined =>
  getChildren(response, assertion, 'EncryptedAssertion')[0]

/** Yields an element and all its descendants in document order. */
export function* iterateElements(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* iterateElements(child)
}
