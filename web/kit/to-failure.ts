import { isLatchkeyError } from '../../lib/client/latchkey-error.ts'
import { type ApiFailure, unreachable } from './call-api.ts'

/** Returns the failure of a call by the typed client. Throws any other error again, because it is a bug of the page. */
export const toFailure = (error: unknown): ApiFailure => {
  if (!isLatchkeyError(error)) throw error
  if (error.code === 'network_error' || error.code === 'timeout') return unreachable
  const { status, code, reason, detail, errors, retryAfterSeconds = 0 } = error
  return {
    isOk: false,
    status,
    retryAfterSeconds,
    problem: { code, detail, errors, ...(reason === undefined ? {} : { reason }) },
  }
}
