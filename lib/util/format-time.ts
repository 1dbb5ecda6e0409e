/** Formats a time in epoch milliseconds as the API sends it: ISO 8601, UTC, milliseconds. Null stays null. */
export const formatTime = <T extends number | null>(ms: T): T extends number ? string : string | null =>
  (ms === null ? null : new Date(ms).toISOString()) as T extends number ? string : string | null
