// Durations in milliseconds.

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Converts milliseconds to the seconds in which DynamoDB expires items. Never rounds to an earlier time. */
export const toSeconds = (ms: number): number => Math.ceil(ms / second)

/** Formats a time in epoch milliseconds as the API sends it: ISO 8601, UTC, milliseconds. Null stays null. */
export const formatTime = <T extends number | null>(ms: T): T extends number ? string : string | null =>
  (ms === null ? null : new Date(ms).toISOString()) as T extends number ? string : string | null

const units = [
  { ms: day, name: 'day' },
  { ms: hour, name: 'hour' },
  { ms: minute, name: 'minute' },
  { ms: second, name: 'second' },
] as const

/** Describes a duration in milliseconds by its largest whole unit: `90 seconds`, `1 hour`. */
export const describeDuration = (durationMs: number): string => {
  const unit = units.find(({ ms }) => durationMs % ms === 0) ?? units[3]
  const count = durationMs / unit.ms
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}

/*
 * Times are stored by many servers, and a clock can be wrong by years. A stored time that is further ahead than anything
 * could be was stored by such a clock. It must not make anyone wait once the clock is right again.
 */

/**
 * Milliseconds until a stored time, for a wait that never lasts longer than `longestMs`. No wait begins in the future,
 * so a time further ahead counts as over.
 */
export const getRemainingMs = (until: number, nowMs: number, longestMs: number): number => {
  const remaining = until - nowMs
  return remaining > longestMs ? 0 : Math.max(0, remaining)
}

/** Whether less than `spanMs` passed since a stored time. A time in the future says nothing. */
export const isWithin = (at: number, nowMs: number, spanMs: number): boolean =>
  at <= nowMs && nowMs - at < spanMs
