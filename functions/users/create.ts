import { auditStep } from '../../lib/accounts/common/request-context.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessAuditSteps } from '../../lib/accounts/directory/admin-access-audit.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { readUserFields } from '../../lib/accounts/directory/user-fields.ts'
import { validateNewUsername, validateUser } from '../../lib/accounts/directory/user-validation.ts'
import { buildEmailState, vouchesForAddresses } from '../../lib/accounts/emails/email-state.ts'
import { endOtherClaims, requireUnclaimed } from '../../lib/accounts/emails/other-claims.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { createUser as createStoredUser } from '../../lib/store/directory/users.ts'
import { buildOutboxStep } from '../../lib/store/records/outbox.ts'

/**
 * Creates a user without a password. An administrator or user manager can set one or send a reset link. An address that
 * no administrator vouches for gets an email with a link that confirms it.
 */
export const createUser: UseCase<typeof users.createUser> = async (
  { body, principal, context },
  services,
) => {
  const { table, config, now } = services
  const rights = await readCallerRights(table, principal)
  const groups = await findGroups(table, body.groups)
  requireControl(rights, body.permissions, groups)
  const errors = [
    ...(await validateUser(body, async () => groups)),
    ...validateNewUsername(config, body.username),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const { username, email = null, ...rest } = body
  const isVerified = vouchesForAddresses(rights) || !email
  const fields = buildUser({ ...readUserFields(rest), username, email, ...buildEmailState(isVerified) })
  if (!isVerified && fields.normalizedEmail !== null) await requireUnclaimed(services, fields.normalizedEmail)
  const extraSteps = (id: number) => [
    auditStep(context, 'user.created', { user: id }),
    ...buildAdminAccessAuditSteps(context, [], body.permissions, { user: id }),
    ...(isVerified ? [] : [buildOutboxStep({ kind: 'email_confirmation', userId: id }, context, now())]),
  ]
  const user = await createStoredUser(table, fields, now(), {
    extraSteps,
    guard: getJoinGuard(rights, groups),
  })
  await endOtherClaims(services, context, user)
  const location = `/api/2/users/${user.id}`
  return { status: 201, headers: { location }, body: toUserDetailWith(user, groups) }
}
