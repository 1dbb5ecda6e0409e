import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { findOnlyChild } from './parts.ts'
import { readInstant } from './times.ts'
import { type Check, createFinding, type Expected, type Finding } from './validation-context.ts'
import { findOutside, noTime } from './validity.ts'

/* That whoever brings the assertion is its subject, which an assertion may say for several services and requests. */

const { assertion } = namespaces
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** What has to hold of the data of one and the same confirmation, in the order in which it is told. */
type DataCheck = (data: XmlElement | undefined, expected: Expected) => Finding | undefined

const isHere: DataCheck = (data, { assertionUrl }) =>
  data?.attributes.get('Recipient') === assertionUrl
    ? undefined
    : createFinding(
        'The assertion was made for another address than the one it came to.',
        `Set the assertion consumer service (ACS, reply URL) and the recipient at the identity provider to ${assertionUrl}`,
      )

const isForRequest: DataCheck = (data, { request }) =>
  request === undefined || data?.attributes.get('InResponseTo') === request.id
    ? undefined
    : createFinding(
        'The assertion was not made for the sign-in that was begun here.',
        'Have the identity provider set InResponseTo in the SubjectConfirmationData as well.',
      )

/** A bearer's has no NotBefore (Profiles 4.1.4.2). Some, Apereo CAS among them, can send one: then it has to have come. */
const isNow: DataCheck = (data, { nowMs }) =>
  data?.attributes.has('NotOnOrAfter') ? findOutside(data, nowMs) : noTime

const checks: readonly DataCheck[] = [isHere, isForRequest, isNow]

/** The confirmation that counts: one of which all holds, as that is enough (Profiles 4.1.4.2), or the one that is next to it. */
const confirmationOf = (believed: XmlElement, expected: Expected): XmlElement | undefined => {
  const held = (data: XmlElement): number => {
    const failed = checks.findIndex((check) => check(data, expected) !== undefined)
    return failed < 0 ? checks.length : failed
  }
  return bearersOf(believed)
    .map((data) => ({ data, held: held(data) }))
    .toSorted((left, right) => right.held - left.held)[0]?.data
}

/** The data of each confirmation by bearer that has any. */
const bearersOf = (believed: XmlElement): readonly XmlElement[] => {
  const subject = findOnlyChild(believed, 'Subject')
  return (subject ? getChildren(subject, assertion, 'SubjectConfirmation') : [])
    .filter(({ attributes }) => attributes.get('Method') === bearer)
    .flatMap((confirmation) => findOnlyChild(confirmation, 'SubjectConfirmationData') ?? [])
}

/** From when on an assertion is good for nobody any more, by whichever confirmation; NaN where none says so. */
export const getConfirmationEnd = (believed: XmlElement): number => {
  const ends = bearersOf(believed).flatMap(
    ({ attributes }) => readInstant(attributes.get('NotOnOrAfter')) ?? [],
  )
  return ends.length > 0 ? Math.max(...ends) : Number.NaN
}

export const isConfirmed: Check = ({ assertion: believed }, expected) =>
  confirmationOf(believed, expected)
    ? undefined
    : createFinding(
        'The assertion does not say that its bearer is the user.',
        'Use the Web Browser SSO profile: a SubjectConfirmation with the method bearer, and its data.',
      )

const holds =
  (check: DataCheck): Check =>
  ({ assertion: believed }, expected) =>
    check(confirmationOf(believed, expected), expected)

export const isConfirmedHere = holds(isHere)
export const isConfirmedForRequest = holds(isForRequest)
export const isConfirmedNow = holds(isNow)
