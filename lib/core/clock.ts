/** A time as the wire has it: ISO 8601, UTC, milliseconds. */
export const formatTime = <T extends number | null>(ms: T): T extends number ? string : string | null =>
  (ms === null ? null : new Date(ms).toISOString()) as T extends number ? string : string | null
