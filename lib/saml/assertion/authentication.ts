import { childrenOf, namespaces, type XmlElement } from '../xml/element.ts'
import { hasBegun, instantOf, isStillOn } from './times.ts'
import { finding, type Look } from './validation-context.ts'
import { noTime, overFinding } from './validity.ts'

/* How the user signed in there, which an assertion may say in several statements (SAML Core 2.3.3). */

const statementsOf = (believed: XmlElement): readonly XmlElement[] =>
  childrenOf(believed, namespaces.assertion, 'AuthnStatement')

/** In epoch milliseconds; NaN for what is none. */
const authenticatedAt = (statement: XmlElement): number =>
  instantOf(statement.attributes.get('AuthnInstant')) ?? Number.NaN

export const saysHowSignedIn: Look = ({ assertion: believed }) => {
  const instants = statementsOf(believed).map(authenticatedAt)
  return instants.length === 0 || instants.some(Number.isNaN)
    ? finding(
        'The assertion does not say when the user signed in.',
        'Have the identity provider send an AuthnStatement.',
      )
    : undefined
}

/** When the session there ends, in epoch milliseconds: as soon as any statement says. Infinity where none does. */
export const sessionEndOf = (believed: XmlElement): number => {
  const given = statementsOf(believed).flatMap(
    ({ attributes }) => attributes.get('SessionNotOnOrAfter') ?? [],
  )
  return Math.min(...given.map((text) => instantOf(text) ?? Number.NaN))
}

export const hasSessionLeft: Look = ({ assertion: believed }, { nowMs }) => {
  const end = sessionEndOf(believed)
  if (Number.isNaN(end)) return noTime
  return isStillOn(end, nowMs) ? undefined : overFinding(end, nowMs)
}

/** What the provider calls its session; the first name, where statements have several. */
export const sessionIndexOf = (believed: XmlElement): string | null => {
  const names = statementsOf(believed).map(({ attributes }) => attributes.get('SessionIndex')?.trim())
  return names.find((name) => name) ?? null
}

export const signedInAnew: Look = ({ assertion: believed }, { request }) =>
  !request?.forceAuthn ||
  statementsOf(believed).some((statement) => hasBegun(request.sentAt, authenticatedAt(statement)))
    ? undefined
    : finding(
        'You were asked to prove yourself anew, and the identity provider did not do it.',
        'Have the identity provider honour ForceAuthn.',
      )
