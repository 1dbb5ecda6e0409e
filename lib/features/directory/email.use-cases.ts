import type { UseCase } from '../../http/use-case.ts'
import { AppError, conflict, invalidRequest, notFound } from '../../kernel/errors/errors.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { hasPermission } from '../access/permissions.ts'
import type { RequestContext } from '../access/request-context.ts'
import { retryConflicts } from '../access/retry-conflicts.ts'
import { consume, countFailedLookup } from '../access/throttle.ts'
import { auditStep } from '../audit/write-event.ts'
import { buildOutboxStep } from '../mail/outbox.records.ts'
import { buildSecurityNoticeStep } from '../mail/security-notices.ts'
import { requireChangeableAddress } from '../sign-in/required-sign-in.ts'
import { requireRightToChange } from './account-rights.ts'
import { buildEmailState, canConfirmEmail, findConfirmation } from './email-confirmations.ts'
import { hasVerifiedEmail } from './guest-state.records.ts'
import { normalizeEmail, validateEmail } from './names.ts'
import { endOtherClaims } from './other-claims.ts'
import { requireUser } from './require-records.ts'
import type { users } from './users.operations.ts'
import { editUser } from './users.records.ts'

/**
 * Emails a link to the new address of the current user. The old address stays in use until the link is opened. The answer
 * does not show whether another account has the address. The present address withdraws an earlier request.
 */
export const changeOwnEmail: UseCase<typeof users.changeOwnEmail> = async (
  { body: { email }, principal: { user }, context },
  services,
) => {
  const { table, now } = services
  const message = validateEmail(email)
  if (message) throw invalidRequest([{ field: 'email', message }])
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
  const normalizedEmail = normalizeEmail(email)
  const isPresent = normalizedEmail === user.normalizedEmail
  await requireChangeableAddress(services, user, { normalizedEmail })
  const extraSteps = [
    auditStep(context, 'email.change_requested', { user: user.id }),
    // The present address may wait for a confirmation. The mailer sends nothing if it does not.
    buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, now()),
  ]
  const changes = {
    pendingEmail: isPresent ? undefined : { email, normalizedEmail, credentialEpoch: user.credentialEpoch },
    emailConfirmation: undefined,
  }
  await editUser(table, user, changes, { extraSteps })
  return { status: 204 }
}

/**
 * Confirms an email address with the link that was sent to it. It needs no session, because the link proves the address
 * and gives no access. If another account has the address, the link works again once that account releases it.
 */
export const confirmEmail: UseCase<typeof users.confirmEmail> = async ({ body, context }, services) => {
  if (parseCredential(body.token)?.kind !== 'email_confirmation') throw new AppError('invalid_token')
  const confirmed = await retryConflicts(async () => {
    const found = await findConfirmation(services, body.token)
    if (!found) throw await countUnknownToken(services, context)
    const { user, address } = found
    const isReplaced = hasVerifiedEmail(user) && user.normalizedEmail !== address.normalizedEmail
    await requireChangeableAddress(services, user, address)
    const changes = {
      ...address,
      ...buildEmailState('link'),
      isEmailFromProvider: undefined,
      pendingEmail: undefined,
      emailConfirmation: undefined,
      // Anyone who knew the password could choose the address.
      ...(user.rightsLimit ? { rightsLimit: { ...user.rightsLimit, hasSetEmail: true } } : {}),
    }
    const extraSteps = [
      auditStep(context, 'email.confirmed', { user: user.id, actor: user.id }),
      ...(isReplaced ? buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' }) : []),
    ]
    return editUser(services.table, user, changes, { extraSteps })
  }, 'The account kept changing while its address was confirmed. Try again.')
  await endOtherClaims(services, context, confirmed)
  return { status: 204 }
}

const countUnknownToken = async (services: Services, context: RequestContext): Promise<AppError> => {
  await countFailedLookup(services, context)
  return new AppError('invalid_token')
}

/** Emails the link that confirms an address again, for users themselves and for those who manage users. */
export const sendEmailConfirmation: UseCase<typeof users.sendEmailConfirmation> = async (
  { params, principal, context },
  services,
) => {
  const { table, now } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage'))) throw notFound('user')
  const user = await requireUser(table, params.id)
  if (!isOwn) await requireRightToChange(services, principal, user)
  if (!canConfirmEmail(user, now()))
    throw conflict('The user is disabled, or has no email address that waits for a confirmation.')
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
  await table.transact([
    buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, now()),
    auditStep(context, 'email.confirmation_requested', { user: user.id }),
  ])
  return { status: 204 }
}
