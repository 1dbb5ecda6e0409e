import { samlResponseAgeMs } from '../../core/limits.ts'
import { one } from './parts.ts'
import { distance, hasBegun, instantOf } from './times.ts'
import { finding, type Look } from './validation-context.ts'
import { aheadFinding, noTime } from './validity.ts'

/* What the response and the assertion say of themselves, once it is known whose words these are. */

export const isVersion2: Look = (dossier) =>
  [dossier.response, dossier.assertion].every(({ attributes }) => attributes.get('Version') === '2.0')
    ? undefined
    : finding('The response is not of SAML 2.0.', 'Have the identity provider speak SAML 2.0.')

export const isByProvider: Look = ({ response, assertion: believed }, { providerEntityId }) =>
  [response, believed].every((element) => one(element, 'Issuer')?.text.trim() === providerEntityId)
    ? undefined
    : finding(
        'The response is by another identity provider than the one that was asked.',
        'The entity id here must be the one that the identity provider gives as Issuer, letter by letter.',
      )

export const isSentHere: Look = ({ response }, { assertionUrl }) =>
  response.attributes.get('Destination') === assertionUrl
    ? undefined
    : finding(
        'The response was made for another address than the one it came to.',
        `Set the assertion consumer service (ACS, reply URL) at the identity provider to ${assertionUrl}`,
      )

export const isRecent: Look = (dossier, { nowMs }) => {
  for (const { attributes } of [dossier.response, dossier.assertion]) {
    const issued = instantOf(attributes.get('IssueInstant'))
    if (issued === undefined) return noTime
    if (!hasBegun(issued, nowMs)) return aheadFinding(issued, nowMs)
    if (nowMs - issued > samlResponseAgeMs)
      return finding(
        `The response was issued ${distance(issued, nowMs)} ago.`,
        'Sign in again. If this stays so, the clock of the identity provider is slow.',
      )
  }
  return undefined
}

export const answersRequest: Look = ({ response }, { request }) =>
  request === undefined || response.attributes.get('InResponseTo') === request.id
    ? undefined
    : finding(
        'The response does not answer the sign-in that was begun here.',
        'Begin at this service (SP-initiated): a sign-in that the identity provider begins by itself is not taken.',
      )

/** What XML has for an ID (xs:ID), of a length that can be kept. */
const usableId = /^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,254}$/u

export const hasId: Look = ({ assertion: believed }) => {
  const id = believed.attributes.get('ID') ?? ''
  if (id === '')
    return finding(
      'The assertion has no ID.',
      'Have the identity provider give each assertion an ID of its own.',
    )
  return usableId.test(id)
    ? undefined
    : finding(
        'The assertion has an ID that is none in XML, or is longer than 255 characters.',
        'Have the identity provider begin IDs with a letter or an underscore, and go on with letters, digits, and . _ - alone.',
      )
}
