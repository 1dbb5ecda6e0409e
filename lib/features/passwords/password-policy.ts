import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError, type FieldError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import type { PasswordPolicy } from './models.ts'

/**
 * Checks a new password of a user against the current policy.
 *
 * @throws AppError `password_rejected` with one error for `field` per requirement that it does not meet
 */
export const requireGoodPassword = async (
  services: Services,
  password: string,
  user: UserRecord,
  field: string,
): Promise<void> => {
  // Loaded on demand, because few requests set a password.
  const [{ evaluate }, { loadPolicyFor }] = await Promise.all([
    import('./evaluate.ts'),
    import('./policy.ts'),
  ])
  const problems = await evaluate(services, password, await loadPolicyFor(services, user), { user })
  const errors = problems.map((problem): FieldError => ({ field, ...problem }))
  if (errors.length > 0) throw new AppError('password_rejected', { errors })
}

/** What a new password of a user must meet, for the page where they choose it: the same policy as `requireGoodPassword` checks. */
export const describePolicyFor = async (services: Services, user: UserRecord): Promise<PasswordPolicy> => {
  const [{ loadPolicyFor }, { toPolicyBody }] = await Promise.all([
    import('./policy.ts'),
    import('./policy.ts'),
  ])
  return toPolicyBody(await loadPolicyFor(services, user))
}
