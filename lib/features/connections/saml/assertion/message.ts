import { samlResponseAgeMs } from '../../../../kernel/limits/saml-limits.ts'
import { findOnlyChild } from '../xml/element.ts'
import { createNotYetValidFinding, describeDistance, hasStarted, invalidTime, readInstant } from './times.ts'
import { type Check, createFinding } from './validation-context.ts'

/* Checks of the properties of the response and the assertion, after their signatures were verified. */

export const checkVersion: Check = (context) =>
  [context.response, context.assertion].every(({ attributes }) => attributes.get('Version') === '2.0')
    ? undefined
    : createFinding('The response does not use SAML 2.0.', 'Set the identity provider to SAML 2.0.')

export const checkIssuer: Check = ({ response, assertion }, { providerEntityId }) =>
  [response, assertion].every((element) => findOnlyChild(element, 'Issuer')?.text.trim() === providerEntityId)
    ? undefined
    : createFinding(
        'The response was issued by a different identity provider than expected.',
        'Set the entity id here to exactly the value that the identity provider sends as Issuer.',
      )

export const checkDestination: Check = ({ response }, { assertionUrl }) =>
  response.attributes.get('Destination') === assertionUrl
    ? undefined
    : createFinding(
        'The response was issued for another address than the one it was sent to.',
        `Set the assertion consumer service (ACS, reply URL) at the identity provider to ${assertionUrl}`,
      )

export const checkIssueInstant: Check = (context, { nowMs }) => {
  for (const { attributes } of [context.response, context.assertion]) {
    const issuedAt = readInstant(attributes.get('IssueInstant'))
    if (issuedAt === undefined) return invalidTime
    if (!hasStarted(issuedAt, nowMs)) return createNotYetValidFinding(issuedAt, nowMs)
    if (nowMs - issuedAt > samlResponseAgeMs)
      return createFinding(
        `The response was issued ${describeDistance(issuedAt, nowMs)} ago.`,
        'Sign in again. If the problem persists, the clock of the identity provider is slow.',
      )
  }
  return undefined
}

export const checkInResponseTo: Check = ({ response }, { request }) =>
  request === undefined || response.attributes.get('InResponseTo') === request.id
    ? undefined
    : createFinding(
        'The response does not answer the sign-in that was started here.',
        'Start the sign-in at this service (SP-initiated). Sign-ins that start at the identity provider are not accepted.',
      )

/** An ID as XML defines it (xs:ID), of at most 255 characters. */
const validId = /^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,254}$/u

export const checkAssertionId: Check = ({ assertion }) => {
  const id = assertion.attributes.get('ID') ?? ''
  if (id === '')
    return createFinding(
      'The assertion has no ID.',
      'Set the identity provider to give each assertion a unique ID.',
    )
  return validId.test(id)
    ? undefined
    : createFinding(
        'The ID of the assertion is not a valid XML ID, or is longer than 255 characters.',
        'Set the identity provider to send IDs that start with a letter or an underscore and contain only letters, digits, and . _ -',
      )
}
