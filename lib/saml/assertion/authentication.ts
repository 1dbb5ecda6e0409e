import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { hasStarted, isInProgress, readInstant } from './times.ts'
import { type Check, createFinding } from './validation-context.ts'
import { getExpiredFinding, noTime } from './validity.ts'

/* How the user signed in there, which an assertion may say in several statements (SAML Core 2.3.3). */

const statementsOf = (believed: XmlElement): readonly XmlElement[] =>
  getChildren(believed, namespaces.assertion, 'AuthnStatement')

/** In epoch milliseconds; NaN for what is none. */
const authenticatedAt = (statement: XmlElement): number =>
  readInstant(statement.attributes.get('AuthnInstant')) ?? Number.NaN

export const hasAuthnStatement: Check = ({ assertion: believed }) => {
  const instants = statementsOf(believed).map(authenticatedAt)
  return instants.length === 0 || instants.some(Number.isNaN)
    ? createFinding(
        'The assertion does not say when the user signed in.',
        'Have the identity provider send an AuthnStatement.',
      )
    : undefined
}

/** When the session there ends, in epoch milliseconds: as soon as any statement says. Infinity where none does. */
export const getSessionEnd = (believed: XmlElement): number => {
  const given = statementsOf(believed).flatMap(
    ({ attributes }) => attributes.get('SessionNotOnOrAfter') ?? [],
  )
  return Math.min(...given.map((text) => readInstant(text) ?? Number.NaN))
}

export const hasSessionLeft: Check = ({ assertion: believed }, { nowMs }) => {
  const end = getSessionEnd(believed)
  if (Number.isNaN(end)) return noTime
  return isInProgress(end, nowMs) ? undefined : getExpiredFinding(end, nowMs)
}

/** What the provider calls its session; the first name, where statements have several. */
export const getSessionIndex = (believed: XmlElement): string | null => {
  const names = statementsOf(believed).map(({ attributes }) => attributes.get('SessionIndex')?.trim())
  return names.find((name) => name) ?? null
}

export const isFreshlyAuthenticated: Check = ({ assertion: believed }, { request }) =>
  !request?.forceAuthn ||
  statementsOf(believed).some((statement) => hasStarted(request.sentAt, authenticatedAt(statement)))
    ? undefined
    : createFinding(
        'You were asked to prove yourself anew, and the identity provider did not do it.',
        'Have the identity provider honour ForceAuthn.',
      )
