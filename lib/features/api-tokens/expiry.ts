import { invalidRequest } from '../../kernel/errors/errors.ts'
import { replacedApiTokenMs } from '../../kernel/limits/limits.ts'
import { day } from '../../kernel/util/time.ts'

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

/** Whether an API token ends so soon that it can keep working after another one replaced it. */
export const isNearExpiry = (expiresAt: number | undefined, nowMs: number): expiresAt is number =>
  expiresAt !== undefined && expiresAt > nowMs && expiresAt <= nowMs + replacedApiTokenMs

/** Reads when a replaced API token expires. @throws AppError `invalid_request` for a time that is past or too far ahead */
export const requireNearExpiry = (expires: string, nowMs: number): number => {
  const at = Date.parse(expires)
  if (isNearExpiry(at, nowMs)) return at
  throw invalidRequest([
    { field: 'expires', message: `must be in the future, and at most ${replacedApiTokenMs / day} days away` },
  ])
}
