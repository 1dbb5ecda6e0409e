import { samlResponseAgeMs } from '../../core/limits.ts'
import { findOnlyChild } from './parts.ts'
import { describeDistance, hasStarted, readInstant } from './times.ts'
import { type Check, createFinding } from './validation-context.ts'
import { getNotYetValidFinding, noTime } from './validity.ts'

/* What the response and the assertion say of themselves, once it is known whose words these are. */

export const isVersion2: Check = (dossier) =>
  [dossier.response, dossier.assertion].every(({ attributes }) => attributes.get('Version') === '2.0')
    ? undefined
    : createFinding('The response is not of SAML 2.0.', 'Have the identity provider speak SAML 2.0.')

export const isByProvider: Check = ({ response, assertion: believed }, { providerEntityId }) =>
  [response, believed].every((element) => findOnlyChild(element, 'Issuer')?.text.trim() === providerEntityId)
    ? undefined
    : createFinding(
        'The response is by another identity provider than the one that was asked.',
        'The entity id here must be the one that the identity provider gives as Issuer, letter by letter.',
      )

export const isSentHere: Check = ({ response }, { assertionUrl }) =>
  response.attributes.get('Destination') === assertionUrl
    ? undefined
    : createFinding(
        'The response was made for another address than the one it came to.',
        `Set the assertion consumer service (ACS, reply URL) at the identity provider to ${assertionUrl}`,
      )

export const isRecent: Check = (dossier, { nowMs }) => {
  for (const { attributes } of [dossier.response, dossier.assertion]) {
    const issued = readInstant(attributes.get('IssueInstant'))
    if (issued === undefined) return noTime
    if (!hasStarted(issued, nowMs)) return getNotYetValidFinding(issued, nowMs)
    if (nowMs - issued > samlResponseAgeMs)
      return createFinding(
        `The response was issued ${describeDistance(issued, nowMs)} ago.`,
        'Sign in again. If this stays so, the clock of the identity provider is slow.',
      )
  }
  return undefined
}

export const answersRequest: Check = ({ response }, { request }) =>
  request === undefined || response.attributes.get('InResponseTo') === request.id
    ? undefined
    : createFinding(
        'The response does not answer the sign-in that was begun here.',
        'Begin at this service (SP-initiated): a sign-in that the identity provider begins by itself is not taken.',
      )

/** What XML has for an ID (xs:ID), of a length that can be kept. */
const usableId = /^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,254}$/u

export const hasId: Check = ({ assertion: believed }) => {
  const id = believed.attributes.get('ID') ?? ''
  if (id === '')
    return createFinding(
      'The assertion has no ID.',
      'Have the identity provider give each assertion an ID of its own.',
    )
  return usableId.test(id)
    ? undefined
    : createFinding(
        'The assertion has an ID that is none in XML, or is longer than 255 characters.',
        'Have the identity provider begin IDs with a letter or an underscore, and go on with letters, digits, and . _ - alone.',
      )
}
