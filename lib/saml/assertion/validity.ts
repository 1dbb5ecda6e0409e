import type { XmlElement } from '../xml/element.ts'
import { describeDistance, hasStarted, isInProgress, readInstant } from './times.ts'
import { createFinding, type Finding } from './validation-context.ts'

export const noTime = createFinding(
  'The response lacks a time, or has one that is none.',
  'Have the identity provider write times as 2026-01-31T12:00:00Z.',
)

export const getNotYetValidFinding = (instant: number, nowMs: number): Finding =>
  createFinding(
    `The response is only good in ${describeDistance(instant, nowMs)}.`,
    'The clock of the identity provider is fast, or ours is slow: set them by NTP.',
  )

export const getExpiredFinding = (instant: number, nowMs: number): Finding =>
  createFinding(
    `The response stopped being good ${describeDistance(instant, nowMs)} ago.`,
    'Sign in again. If this stays so, the clock of the identity provider is slow, or it gives its responses too little time.',
  )

/** Why this isn't within the times that an element sets itself. */
export const findOutside = ({ attributes }: XmlElement, nowMs: number): Finding | undefined => {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) =>
    attributes.has(name) ? (readInstant(attributes.get(name)) ?? Number.NaN) : undefined,
  )
  if (Number.isNaN(from) || Number.isNaN(until)) return noTime
  if (from !== undefined && !hasStarted(from, nowMs)) return getNotYetValidFinding(from, nowMs)
  return until !== undefined && !isInProgress(until, nowMs) ? getExpiredFinding(until, nowMs) : undefined
}
