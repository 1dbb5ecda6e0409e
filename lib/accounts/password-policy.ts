import { AppError, type Fault } from '../core/errors.ts'
import { passwordMaxLength, passwordMinLength } from '../core/limits.ts'
import type { Services } from '../services.ts'
import type { UserRecord } from '../store/users.ts'
import { foldUsername } from './names.ts'

/** What a password must have when nobody set a policy: length, which is what makes guessing hard. */
const defaultMinLength = 12

/**
 * Lets a new password pass or says all that is wrong with it.
 *
 * @throws AppError `password_rejected` with one sentence a fault, in `errors` under `field`.
 */
export const requireGoodPassword = async (
  _services: Services,
  password: string,
  user: UserRecord,
  field: string,
): Promise<void> => {
  const errors = passwordFaults(password, user).map((message): Fault => ({ field, message }))
  if (errors.length > 0) throw new AppError('password_rejected', { errors })
}

const passwordFaults = (password: string, user: UserRecord): readonly string[] => {
  const length = [...password.normalize('NFC')].length
  const minLength = Math.max(defaultMinLength, passwordMinLength)
  const folded = foldUsername(password)
  return [
    ...(length < minLength ? [`The password must have at least ${minLength} characters.`] : []),
    ...(length > passwordMaxLength
      ? [`The password must have at most ${passwordMaxLength} characters.`]
      : []),
    ...([user.foldedUsername, user.foldedEmail].some((name) => name !== null && folded.includes(name))
      ? ['The password must not contain the username or the e-mail address.']
      : []),
  ]
}
