import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import {
  createExpiredFinding,
  describeDistance,
  hasStarted,
  invalidTime,
  isInProgress,
  readInstant,
} from './times.ts'
import { type Check, createFinding } from './validation-context.ts'

/* Checks of the authentication statements. An assertion may have several (SAML Core 2.3.3). */

const getAuthnStatements = (assertion: XmlElement): readonly XmlElement[] =>
  getChildren(assertion, namespaces.assertion, 'AuthnStatement')

/** Returns epoch milliseconds, or NaN if the time is missing or invalid. */
const getAuthnInstant = (statement: XmlElement): number =>
  readInstant(statement.attributes.get('AuthnInstant')) ?? Number.NaN

export const checkAuthnStatement: Check = ({ assertion }, { nowMs }) => {
  const instants = getAuthnStatements(assertion).map(getAuthnInstant)
  if (instants.length === 0 || instants.some(Number.isNaN))
    return createFinding(
      'The assertion does not say when the user signed in.',
      'Set the identity provider to send an AuthnStatement.',
    )
  // Otherwise each response of a provider with a wrong clock would be a new proof of identity.
  const future = instants.find((instant) => !hasStarted(instant, nowMs))
  return future === undefined
    ? undefined
    : createFinding(
        `The assertion says that the user signed in ${describeDistance(future, nowMs)} from now.`,
        'Synchronize the clock of the identity provider with NTP. AuthnInstant must be in UTC, or have a time zone.',
      )
}

/** Returns the latest time at which the user signed in there, in epoch milliseconds. NaN if a time is missing. */
export const getAuthnTime = (assertion: XmlElement): number =>
  Math.max(...getAuthnStatements(assertion).map(getAuthnInstant))

/**
 * Returns how the user signed in at the identity provider (SAML Core 2.7.2.2): the class of the latest statement. An older
 * statement says nothing about the sign-in that counts.
 */
export const getAuthnContexts = (assertion: XmlElement): readonly string[] => {
  const latest = getAuthnTime(assertion)
  return getAuthnStatements(assertion)
    .filter((statement) => getAuthnInstant(statement) === latest)
    .flatMap((statement) => getChildren(statement, namespaces.assertion, 'AuthnContext'))
    .flatMap((context) => getChildren(context, namespaces.assertion, 'AuthnContextClassRef'))
    .map(({ text }) => text.trim())
}

/** The assertion states a way of signing in that the service requires. */
export const checkAuthnContext: Check = ({ assertion }, { isAuthnContextEnough }) => {
  const stated = getAuthnContexts(assertion)
  return isAuthnContextEnough(stated)
    ? undefined
    : createFinding(
        stated.length === 0
          ? 'The identity provider does not say how the user signed in, but this connection requires certain ways.'
          : `The identity provider says that the user signed in with ${stated.join(', ')}, which this connection does not accept.`,
        'Set the identity provider to require one of `required_authn_contexts`, or change that list.',
      )
}

/** Returns the earliest session end of all statements, in epoch milliseconds. Infinity if there is none. */
export const getSessionEnd = (assertion: XmlElement): number => {
  const ends = getAuthnStatements(assertion).flatMap(
    ({ attributes }) => attributes.get('SessionNotOnOrAfter') ?? [],
  )
  return Math.min(...ends.map((text) => readInstant(text) ?? Number.NaN))
}

export const checkSessionEnd: Check = ({ assertion }, { nowMs }) => {
  const end = getSessionEnd(assertion)
  if (Number.isNaN(end)) return invalidTime
  return isInProgress(end, nowMs) ? undefined : createExpiredFinding(end, nowMs)
}

/** Returns the first session ID of the statements. */
export const getSessionIndex = (assertion: XmlElement): string | null => {
  const indexes = getAuthnStatements(assertion).map(({ attributes }) =>
    attributes.get('SessionIndex')?.trim(),
  )
  return indexes.find((index) => index) ?? null
}

export const checkForceAuthn: Check = ({ assertion }, { request }) =>
  !request?.forceAuthn ||
  getAuthnStatements(assertion).some((statement) => hasStarted(request.sentAt, getAuthnInstant(statement)))
    ? undefined
    : createFinding(
        'You had to sign in again, but the identity provider did not ask you to.',
        'Set the identity provider to honor ForceAuthn.',
      )
