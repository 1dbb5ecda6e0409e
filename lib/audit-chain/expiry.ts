/** Whether DynamoDB may have removed an item that was stored at a time and kept for a while, in milliseconds. */
export const mayHaveExpired = (storedAt: number, retentionMs: number, nowMs: number): boolean =>
  Math.ceil((storedAt + retentionMs) / 1000) * 1000 <= nowMs
