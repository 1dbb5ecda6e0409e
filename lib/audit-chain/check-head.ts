import type { ChainHead } from '../store/audit/chain.ts'

/** Clocks of other machines can be ahead. */
export const clockSkewMs = 60_000

/**
 * Whether the service could have written this head by now. Nothing signs a head before the next checkpoint, and a time in
 * the future would stop its chain without an error.
 */
export const isPlausibleHead = (head: ChainHead, nowMs: number): boolean => {
  const latest = new Date(nowMs + clockSkewMs).toISOString()
  return (
    [
      ...[head.number, head.sequence, head.chainedAt, head.expiresAt],
      ...[head.sweptBlock, head.markedBlock],
    ].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    [head.cursor, head.swept, head.marked].every((text) => isTime(text) && text <= latest)
  )
}

/** A time, or a sort key, which begins with one. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(#.*)?$/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)))
