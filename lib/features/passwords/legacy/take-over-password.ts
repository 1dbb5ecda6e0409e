import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { consume, tryRefund } from '../../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../../accounts/events/refusals.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { isActive } from '../../../accounts/users/account-state.ts'
import { buildUserStep, type UserUpdate } from '../../../accounts/users/build-user-step.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import { legacyCheckRetrySeconds } from '../../../kernel/limits/password-limits.ts'
import { buildMetricFields } from '../../../kernel/log/log.ts'
import { EditConflict } from '../../../kernel/table/transaction.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { Services } from '../../../services.ts'

/*
 * An old system that gives out no password hashes can still answer whether a password is right. It is asked at the first
 * sign-in of a user whom the import marked. From then on, the password is stored here as a hash.
 */

/** Whether the old system decides about the password of a user now. */
export const isPasswordElsewhere = ({ config, now }: Services, user: UserRecord): boolean => {
  const { legacyPasswordCheck } = config
  if (!legacyPasswordCheck || now() >= legacyPasswordCheck.endsAt) return false
  return user.legacySignIn !== undefined && user.passwordHash === null && isActive(user, now())
}

/**
 * Asks the old system whether a password is right.
 *
 * @throws AppError `too_many_requests` if it was asked too often
 * @throws AppError `temporarily_unavailable` if it does not answer
 */
export const checkLegacyPassword = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  password: string,
): Promise<boolean> => {
  const { legacyPasswordCheck } = services.config
  const { legacySignIn, externalId } = user
  if (!legacyPasswordCheck || !legacySignIn) return false
  // First, so that one caller cannot use up the limit of all users while the old system does not answer.
  const refund = await consume(services, 'legacyPasswordOutages', `${user.id} ${getNetwork(context.address)}`)
  await consume(services, 'legacyPasswordChecks', 'all')
  const { username, email } = legacySignIn
  // Loaded on demand, because few sign-ins need it.
  const { askOldSystem, NoAnswer } = await import('./ask-old-system.ts')
  const question = { username, email, password, ...(externalId ? { external_id: externalId.id } : {}) }
  try {
    const isCorrect = await askOldSystem(legacyPasswordCheck.target, question)
    await tryRefund(services, refund)
    return isCorrect
  } catch (error) {
    const { problem, message } =
      error instanceof NoAnswer ? error : new NoAnswer('connect', 'the call could not be made')
    services.log.warn('legacy_password_check.failed', {
      user: user.id,
      reason: message,
      ...buildMetricFields('OldSystemUnanswered', services),
    })
    await auditRefusal(services, context, 'password.check_failed', { user: user.id, outcome: problem })
    throw new AppError('temporarily_unavailable', {
      reason: 'password_check_failed',
      detail:
        'Your password could not be checked. Nothing was changed. Wait the number of seconds in the Retry-After header, then try again.',
      headers: { 'retry-after': String(legacyCheckRetrySeconds) },
    })
  }
}

/**
 * Stores the hash of a password that the old system knows, which ends its part in one write. Returns the user as stored.
 *
 * @throws EditConflict if another request did it first, or the account was disabled or its sessions were ended since
 */
export const takeOverPassword = async (
  { table }: Services,
  context: RequestContext,
  user: UserRecord,
  passwordHash: string,
): Promise<UserRecord> => {
  await table.transact([
    buildUserStep(user, { passwordHash }, [onlyIfElsewhere], () => new EditConflict()),
    auditStep(context, 'password.taken_over', { user: user.id, actor: user.id }),
  ])
  return { ...user, passwordHash, legacySignIn: undefined, version: user.version + 1 }
}

const onlyIfElsewhere: UserUpdate = (x) => ({
  condition: [
    `attribute_exists(${x.path('legacySignIn')})`,
    `${x.path('passwordHash')} = ${x.value(null)}`,
    `${x.path('is_enabled')} = ${x.value(true)}`,
  ].join(' AND '),
})
