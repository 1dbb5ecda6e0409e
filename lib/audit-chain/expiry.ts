/** When an item that was stored at a time expires, for the attribute `expires_at`: epoch seconds. */
export const getExpiry = (storedAt: number, retentionMs: number): number =>
  Math.ceil((storedAt + retentionMs) / 1000)

/** Whether DynamoDB may have removed an item that was stored at a time and kept for a while, in milliseconds. */
export const mayHaveExpired = (storedAt: number, retentionMs: number, nowMs: number): boolean =>
  getExpiry(storedAt, retentionMs) * 1000 <= nowMs
