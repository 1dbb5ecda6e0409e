import { hasPermission } from '../../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { consume, countFailedLookup } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import {
  buildEmailState,
  buildEndClaimChanges,
  canConfirmEmail,
  describeClaimant,
  findConfirmation,
} from '../../../accounts/names/email-confirmations.ts'
import { normalizeEmail, validateEmail } from '../../../accounts/names/names.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import { buildSecurityNoticeStep } from '../../../accounts/outbox/security-notices.ts'
import { addressSteps } from '../../../accounts/users/address-event.ts'
import { hasVerifiedEmail } from '../../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import { editUser } from '../../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError, conflict, invalidRequest, notFound } from '../../../kernel/errors/errors.ts'
import { parseCredential } from '../../../kernel/secrets/credentials.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import type { Services } from '../../../services.ts'
import { toOneLine } from '../../mail/user-text.ts'
import { consumeWithProof } from '../../network-limits/rules.ts'
import { requireChangeableAddress } from '../../sign-in/required-sign-in.ts'
import { requireRightToChange } from '../rights/account-rights.ts'
import type { users } from '../users/users.operations.ts'
import { findConfirmationNeed, isSignedIn, requireConfirmable } from './confirmation-rules.ts'
import { endOtherClaims } from './other-claims.ts'

/**
 * Emails a link to the new address of the current user. The old address stays in use until the link is opened. The answer
 * does not show whether another account has the address. The present address withdraws an earlier request.
 */
export const changeOwnEmail: UseCase<typeof users.changeOwnEmail> = async (
  { body: { email, proof }, principal: { user }, context },
  services,
) => {
  const { table, now } = services
  const message = validateEmail(email)
  if (message) throw invalidRequest([{ field: 'email', message }])
  const normalizedEmail = normalizeEmail(email)
  const isPresent = normalizedEmail === user.normalizedEmail
  await requireChangeableAddress(services, user, { normalizedEmail })
  // The email goes to anyone, as that of a sign-up does. A verified address gets none.
  if (!isPresent || !hasVerifiedEmail(user))
    await consumeWithProof(services, 'change_own_email', context, proof)
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
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

/** Shows for which account the link counts, and what is missing. It uses nothing, so mail scanners that open links use nothing. */
export const findEmailConfirmation: UseCase<typeof users.findEmailConfirmation> = async (
  { body, principal, context },
  services,
) => {
  const { user, address } = await requireConfirmation(services, context, body.token)
  return {
    status: 200,
    body: {
      email: address.email,
      account: toOneLine(describeClaimant(user), shownCharacters),
      needs: await findConfirmationNeed(services, user, principal),
      signed_in_as: isSignedIn(principal) ? principal.user.username : null,
    },
  }
}

/**
 * Confirms an email address with the link that was sent to it, in a session of its account: see `confirmation-rules.ts`. If another
 * account has the address, the link works again once that account releases it.
 */
export const confirmEmail: UseCase<typeof users.confirmEmail> = async (
  { body, principal, context },
  services,
) => {
  const confirmed = await retryConflicts(async () => {
    const { user, address } = await requireConfirmation(services, context, body.token)
    await requireConfirmable(services, user, principal)
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
      ...addressSteps(context, 'email.confirmed', { before: user, after: address, actor: user.id }),
      ...(isReplaced ? buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' }) : []),
    ]
    return editUser(services.table, user, changes, { extraSteps })
  }, 'The account kept changing while its address was confirmed. Try again.')
  await endOtherClaims(services, context, confirmed)
  return { status: 204 }
}

/**
 * Ends the claim of an account to an address, for the person who reads its mailbox. It needs no session, because only that person has
 * the link, and it gives no access. Of any number of parallel requests with one link, one confirms the address or ends the claim.
 */
export const rejectEmailConfirmation: UseCase<typeof users.rejectEmailConfirmation> = async (
  { body, context },
  services,
) => {
  await retryConflicts(async () => {
    const { user } = await requireConfirmation(services, context, body.token)
    const changes = buildEndClaimChanges(user)
    const extraSteps = addressSteps(context, 'email.claim_ended', {
      before: user,
      after: { email: user.email, ...changes },
      ...{ actor: null, target: 'not_mine' },
    })
    await editUser(services.table, user, changes, { extraSteps })
  }, 'The account kept changing while the claim was ended. Try again.')
  return { status: 204 }
}

/** Longer names of accounts are cut, as in emails. */
const shownCharacters = 100

/** @throws AppError `invalid_token`, alike for a malformed, unknown, used, replaced and expired token */
const requireConfirmation = async (services: Services, context: RequestContext, token: string) => {
  // Rejected without reading the table, so callers do not pay for mistyped values.
  if (parseCredential(token)?.kind !== 'email_confirmation') throw new AppError('invalid_token')
  const found = await findConfirmation(services, token)
  if (!found) throw await countUnknownToken(services, context)
  return found
}

const countUnknownToken = async (services: Services, context: RequestContext): Promise<AppError> => {
  await countFailedLookup(services, context)
  return new AppError('invalid_token')
}

/** Emails the link that confirms an address again, for users themselves and for those who manage users. */
export const sendEmailConfirmation: UseCase<typeof users.sendEmailConfirmation> = async (
  { params, body, principal, context },
  services,
) => {
  const { table, now } = services
  const isOwn = params.id === principal.user.id
  if (!isOwn && !(await hasPermission(table, principal.user, 'users:manage'))) throw notFound('user')
  const user = await requireUser(table, params.id)
  if (!isOwn) await requireRightToChange(services, principal, user)
  if (!canConfirmEmail(user, now()))
    throw conflict('The user is disabled, or has no email address that waits for a confirmation.')
  if (isOwn) await consumeWithProof(services, 'send_email_confirmation', context, body.proof)
  await consume(services, 'emailConfirmationsPerAccount', String(user.id))
  await table.transact([
    buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, now()),
    auditStep(context, 'email.confirmation_requested', { user: user.id }),
  ])
  return { status: 204 }
}
