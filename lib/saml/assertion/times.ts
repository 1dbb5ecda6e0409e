import { samlClockSkewMs } from '../../limits/saml-limits.ts'

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
export const hasStarted = (instant: number, nowMs: number): boolean => nowMs >= instant - samlClockSkewMs

/** Whether an end time has not passed yet, with the same tolerance. */
export const isInProgress = (instant: number, nowMs: number): boolean => nowMs < instant + samlClockSkewMs

/** Describes the time between two instants, such as "5 minutes". */
export const describeDistance = (instant: number, nowMs: number): string => {
  const seconds = Math.round(Math.abs(nowMs - instant) / 1000)
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
