import { findOnlyChild, getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { checkValidityPeriod, invalidTime, readInstant } from './times.ts'
import { type Check, createFinding, type Expectations, type Finding } from './validation-context.ts'

/* Checks of the bearer confirmation. An assertion may have several, for different services and requests. */

const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Checks the SubjectConfirmationData of one confirmation. */
type DataCheck = (data: XmlElement | undefined, expectations: Expectations) => Finding | undefined

const checkDataRecipient: DataCheck = (data, { assertionUrl }) =>
  data?.attributes.get('Recipient') === assertionUrl
    ? undefined
    : createFinding(
        'The assertion was issued for another address than the one it was sent to.',
        `Set the assertion consumer service (ACS, reply URL) and the recipient at the identity provider to ${assertionUrl}`,
      )

const checkDataRequest: DataCheck = (data, { request }) =>
  request === undefined || data?.attributes.get('InResponseTo') === request.id
    ? undefined
    : createFinding(
        'The assertion was not issued for the sign-in that was started here.',
        'Set the identity provider to include InResponseTo in the SubjectConfirmationData as well.',
      )

/**
 * A bearer confirmation should have no NotBefore (Profiles 4.1.4.2), but some products, such as Apereo CAS, can send it.
 * It is then checked as well.
 */
const checkDataTime: DataCheck = (data, { nowMs }) =>
  data?.attributes.has('NotOnOrAfter') ? checkValidityPeriod(data, nowMs) : invalidTime

/** All of them must pass for the same confirmation. Their order is the order of the checks. */
const dataChecks: readonly DataCheck[] = [checkDataRecipient, checkDataRequest, checkDataTime]

/**
 * Selects the data of a confirmation that passes all checks, since one is enough (Profiles 4.1.4.2). If there is none,
 * selects the one that passes the most checks before it fails.
 */
const selectConfirmation = (assertion: XmlElement, expectations: Expectations): XmlElement | undefined => {
  const countPassed = (data: XmlElement): number => {
    const failedAt = dataChecks.findIndex((check) => check(data, expectations) !== undefined)
    return failedAt < 0 ? dataChecks.length : failedAt
  }
  return getBearerData(assertion)
    .map((data) => ({ data, passed: countPassed(data) }))
    .toSorted((left, right) => right.passed - left.passed)[0]?.data
}

/** Returns the SubjectConfirmationData of each bearer confirmation. */
const getBearerData = (assertion: XmlElement): readonly XmlElement[] => {
  const subject = findOnlyChild(assertion, 'Subject')
  return (subject ? getChildren(subject, namespaces.assertion, 'SubjectConfirmation') : [])
    .filter(({ attributes }) => attributes.get('Method') === bearerMethod)
    .flatMap((confirmation) => findOnlyChild(confirmation, 'SubjectConfirmationData') ?? [])
}

/** Returns when the last confirmation expires, in epoch milliseconds. NaN if none has an end. */
export const getConfirmationEnd = (assertion: XmlElement): number => {
  const ends = getBearerData(assertion).flatMap(
    ({ attributes }) => readInstant(attributes.get('NotOnOrAfter')) ?? [],
  )
  return ends.length > 0 ? Math.max(...ends) : Number.NaN
}

export const checkConfirmation: Check = ({ assertion }, expectations) =>
  selectConfirmation(assertion, expectations)
    ? undefined
    : createFinding(
        'The assertion has no bearer confirmation.',
        'Use the Web Browser SSO profile: a SubjectConfirmation with the method bearer, and its data.',
      )

const toCheck =
  (checkData: DataCheck): Check =>
  ({ assertion }, expectations) =>
    checkData(selectConfirmation(assertion, expectations), expectations)

export const checkRecipient = toCheck(checkDataRecipient)
export const checkConfirmedRequest = toCheck(checkDataRequest)
export const checkConfirmationTime = toCheck(checkDataTime)
