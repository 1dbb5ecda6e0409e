import { AppError } from '../../errors/errors.ts'

/** The error for an authorization that cannot be completed, or not again. */
export const createExpiredError = (): AppError =>
  new AppError('invalid_request', {
    reason: 'authorization_expired',
    detail: 'This sign-in was completed, has expired, or was started in another browser.',
    errors: [{ field: 'uid', message: 'names no sign-in that is waiting in this browser' }],
    tryAgain: null,
  })
