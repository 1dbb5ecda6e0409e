import { invalidRequest } from '../../kernel/errors/errors.ts'

/** Reads when a new API token expires. @throws AppError `invalid_request` for a time that is not in the future */
export const requireFutureExpiry = (
  expires: string | null | undefined,
  nowMs: number,
): number | undefined => {
  if (!expires) return undefined
  const at = Date.parse(expires)
  if (at <= nowMs) throw invalidRequest([{ field: 'expires', message: 'must be in the future' }])
  return at
}
