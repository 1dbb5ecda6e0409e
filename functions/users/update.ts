import { buildEndReportsChange } from '../../lib/accounts/common/end-reports.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
  requireControlOfUsers,
  requireProofForRights,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessAuditSteps } from '../../lib/accounts/directory/admin-access-audit.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import {
  diffFields,
  listFieldNames,
  patchUserFields,
  replaceUserFields,
} from '../../lib/accounts/directory/user-changes.ts'
import { validateNewUsername, validateUser } from '../../lib/accounts/directory/user-validation.ts'
import { buildEmailStateChange, vouchesForAddresses } from '../../lib/accounts/emails/email-state.ts'
import { endOtherClaims, requireUnclaimed } from '../../lib/accounts/emails/other-claims.ts'
import { requireRecentAuthentication } from '../../lib/accounts/sign-in/recent-authentication.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { editUser, editUserEndingSessions } from '../../lib/store/directory/users.ts'
import { buildOutboxStep } from '../../lib/store/records/outbox.ts'
import type { UserChanges, UserRecord } from '../../lib/store/records/user-record.ts'
import { toManagedUser } from './managed-user.ts'

/** Replaces all editable fields of a user. Fields that the body omits return to their defaults. */
export const updateUser: UseCase<typeof users.updateUser> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  const edited = await applyChanges(request, services, user, replaceUserFields(request.body))
  return { status: 200, body: await toManagedUser(services, edited) }
}

/** Changes the fields that the body contains. */
export const patchUser: UseCase<typeof users.patchUser> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  const edited = await applyChanges(request, services, user, patchUserFields(user, request.body))
  return { status: 200, body: await toManagedUser(services, edited) }
}

type Request = Pick<UseCaseRequest<typeof users.patchUser>, 'body' | 'principal' | 'context'>

const applyChanges = async (
  { body, principal, context }: Request,
  services: Services,
  user: UserRecord,
  wanted: UserChanges,
): Promise<UserRecord> => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  await requireControlOfUsers(table, rights, [user])
  const groups = await findGroups(table, body.groups ?? [])
  requireControl(rights, body.permissions ?? [], groups)
  const isRenamed =
    wanted.normalizedUsername !== undefined && wanted.normalizedUsername !== user.normalizedUsername
  const errors = [
    ...(await validateUser(body, async () => groups)),
    ...(isRenamed ? validateNewUsername(services.config, body.username ?? '') : []),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const changes = diffFields<UserChanges>(user, wanted)
  if (Object.keys(changes).length === 0) return user
  // A stolen session must not lead the emails of an account to the thief.
  if (changes.email !== undefined) requireRecentAuthentication(services, principal)
  if (decidesAboutAccess(changes)) await requireProofForRights(services, principal, [user, { ...user, ...changes }])
  const emailState = buildEmailStateChange(user, changes, vouchesForAddresses(rights))
  if (changes.normalizedEmail && emailState.emailVerified === false)
    await requireUnclaimed(services, changes.normalizedEmail, user.id)
  const edit = locksOut(changes, services.now()) ? editUserEndingSessions : editUser
  const extraSteps = [
    auditStep(context, 'user.changed', { user: user.id, target: listFieldNames(changes) }),
    ...buildAdminAccessAuditSteps(context, user.permissions, changes.permissions, { user: user.id }),
    ...(changes.normalizedEmail === undefined
      ? []
      : buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' })),
    ...(emailState.emailVerified === false
      ? [buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, services.now())]
      : []),
  ]
  const guard = getJoinGuard(rights, groups)
  const isByOther = principal.actor !== undefined || user.id !== principal.user.id
  const endsReports = isByOther && takeoverFields.some((field) => field in changes)
  const fields = endsReports ? { ...changes, ...buildEndReportsChange(services) } : changes
  const edited = await edit(table, user, { ...fields, ...emailState }, { extraSteps, guard })
  if (changes.normalizedEmail !== undefined) await endOtherClaims(services, context, edited)
  return edited
}

/** Whether a change is about more than how the account is shown. */
const decidesAboutAccess = (changes: UserChanges): boolean =>
  Object.keys(changes).some((field) => !shownFields.includes(field))

const shownFields: readonly string[] = ['fullName', 'language', 'defaultPage', 'bookmarks', 'hostFields']

/** By changing one of these, an administrator takes an account from its owner. */
const takeoverFields = ['email', 'isEnabled', 'expiresAt'] as const

/** Whether a change disables the user. Their sessions then end for good, even if the account is enabled again. */
const locksOut = ({ isEnabled, expiresAt = null }: UserChanges, nowMs: number): boolean =>
  isEnabled === false || (expiresAt !== null && expiresAt <= nowMs)
