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
