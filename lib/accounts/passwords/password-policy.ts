import { AppError, type FieldError } from '../../core/errors.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'

/**
 * Lets a new password of a user pass or says all that is wrong with it, by the policy that holds at this moment.
 *
 * @throws AppError `password_rejected` with one sentence a fault, in `errors` under `field`.
 */
export const requireGoodPassword = async (
  services: Services,
  password: string,
  user: UserRecord,
  field: string,
): Promise<void> => {
  // Few requests set a password, and what judges one is loaded for those alone.
  const [{ evaluate }, { loadSystemPolicy }] = await Promise.all([
    import('./evaluate.ts'),
    import('./policy.ts'),
  ])
  const sentences = await evaluate(services, password, await loadSystemPolicy(services), { user })
  const errors = sentences.map((message): FieldError => ({ field, message }))
  if (errors.length > 0) throw new AppError('password_rejected', { errors })
}
