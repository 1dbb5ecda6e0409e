import type { XmlElement } from '../xml/element.ts'
import { distance, hasBegun, instantOf, isStillOn } from './times.ts'
import { type Finding, finding } from './validation-context.ts'

export const noTime = finding(
  'The response lacks a time, or has one that is none.',
  'Have the identity provider write times as 2026-01-31T12:00:00Z.',
)

export const aheadFinding = (instant: number, nowMs: number): Finding =>
  finding(
    `The response is only good in ${distance(instant, nowMs)}.`,
    'The clock of the identity provider is fast, or ours is slow: set them by NTP.',
  )

export const overFinding = (instant: number, nowMs: number): Finding =>
  finding(
    `The response stopped being good ${distance(instant, nowMs)} ago.`,
    'Sign in again. If this stays so, the clock of the identity provider is slow, or it gives its responses too little time.',
  )

/** Why this isn't within the times that an element sets itself. */
export const outsideOf = ({ attributes }: XmlElement, nowMs: number): Finding | undefined => {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) =>
    attributes.has(name) ? (instantOf(attributes.get(name)) ?? Number.NaN) : undefined,
  )
  if (Number.isNaN(from) || Number.isNaN(until)) return noTime
  if (from !== undefined && !hasBegun(from, nowMs)) return aheadFinding(from, nowMs)
  return until !== undefined && !isStillOn(until, nowMs) ? overFinding(until, nowMs) : undefined
}
