import { samlClockSkewMs } from '../../core/limits.ts'

const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * A time in SAML (Core 1.3.3), in epoch milliseconds; undefined for what is none, or doesn't say of which zone it is.
 */
export const readInstant = (text: string | undefined): number | undefined => {
  if (text === undefined || !dateTime.test(text)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) || !isDay(text.slice(0, 10)) ? undefined : instant
}

/** A day that its month doesn't have would be counted on into the next. */
const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) === text

/** Whether a time that something begins at has come, by clocks that differ by a minute at most. */
export const hasStarted = (instant: number, nowMs: number): boolean => nowMs >= instant - samlClockSkewMs

/** Whether a time at which something is over hasn't come, by the same clocks. */
export const isInProgress = (instant: number, nowMs: number): boolean => nowMs < instant + samlClockSkewMs

/** How long ago, or how far ahead, in words. */
export const describeDistance = (instant: number, nowMs: number): string => {
  const seconds = Math.round(Math.abs(nowMs - instant) / 1000)
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
