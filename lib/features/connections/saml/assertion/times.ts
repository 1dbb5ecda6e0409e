import { providerClockSkewMs } from '../../../../kernel/limits/connection-limits.ts'
import type { XmlElement } from '../xml/element.ts'
import { createFinding, type Finding } from './validation-context.ts'

const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * Reads a SAML time (Core 1.3.3) as epoch milliseconds. Returns undefined for invalid times and times without a zone.
 */
export const readInstant = (text: string | undefined): number | undefined => {
  if (text === undefined || !dateTime.test(text)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) || !isExistingDay(text.slice(0, 10)) ? undefined : instant
}

/** The parser would read February 30 as a day in March. */
const isExistingDay = (text: string): boolean =>
  new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) === text

/** Whether a start time has passed, with a tolerance for clock skew. */
export const hasStarted = (instant: number, nowMs: number): boolean => nowMs >= instant - providerClockSkewMs

/** Whether an end time has not passed yet, with the same tolerance. */
export const isInProgress = (instant: number, nowMs: number): boolean => nowMs < instant + providerClockSkewMs

/** Describes the time between two instants, such as "5 minutes". */
export const describeDistance = (instant: number, nowMs: number): string => {
  const seconds = Math.round(Math.abs(nowMs - instant) / 1000)
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}

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
