/**
 * Counts the bytes of a part of a body in the result of a function. The result is JSON that contains the body as text, so
 * each quote and backslash of the body takes two bytes there.
 */
export const countResultBytes = (part: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(part)))
