import type { XmlElement } from '../xml/element.ts'
import { describeDistance, hasStarted, isInProgress, readInstant } from './times.ts'
import { createFinding, type Finding } from './validation-context.ts'

export const invalidTime = createFinding(
  'The response has a missing or invalid time.',
  'Set the identity provider to write times like 2026-01-31T12:00:00Z.',
)

export const createNotYetValidFinding = (instant: number, nowMs: number): Finding =>
  createFinding(
    `The response is not valid yet. It becomes valid in ${describeDistance(instant, nowMs)}.`,
    'Synchronize the clocks with NTP: that of the identity provider is fast, or that of this service is slow.',
  )

export const createExpiredFinding = (instant: number, nowMs: number): Finding =>
  createFinding(
    `The response expired ${describeDistance(instant, nowMs)} ago.`,
    'Sign in again. If the problem persists, the clock of the identity provider is slow, or its responses expire too soon.',
  )

/** Checks the validity period that an element declares in NotBefore and NotOnOrAfter. */
export const checkValidityPeriod = ({ attributes }: XmlElement, nowMs: number): Finding | undefined => {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) =>
    attributes.has(name) ? (readInstant(attributes.get(name)) ?? Number.NaN) : undefined,
  )
  if (Number.isNaN(from) || Number.isNaN(until)) return invalidTime
  if (from !== undefined && !hasStarted(from, nowMs)) return createNotYetValidFinding(from, nowMs)
  return until !== undefined && !isInProgress(until, nowMs) ? createExpiredFinding(until, nowMs) : undefined
}
