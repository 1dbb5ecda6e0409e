import { adminAccess, hasAdminAccess } from '../../../accounts/callers/permissions.ts'
import { changeSteps } from '../../../accounts/events/change-event.ts'
import { listValueFields, requireUnchanged } from '../../../accounts/events/require-unchanged.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { buildEmailStateChange } from '../../../accounts/names/email-confirmations.ts'
import { buildOutboxStep } from '../../../accounts/outbox/outbox.records.ts'
import {
  buildEndReportsChange,
  buildSecurityNoticeStep,
  buildSignInSetSteps,
} from '../../../accounts/outbox/security-notices.ts'
import { hasVerifiedEmail, isGuestUser } from '../../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type { FieldChanges, UserChanges, UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../../accounts/users/user-change.ts'
import { diffFields, patchUserFields, replaceUserFields } from '../../../accounts/users/user-changes.ts'
import {
  appearanceFields,
  rightsGivingFields,
  takeoverFields,
} from '../../../accounts/users/user-field-names.models.prebuilt.ts'

import { editUser, editUserEndingSessions } from '../../../accounts/users/write-users.records.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { type FieldError, invalidRequest } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { tryRemoveRevokedCredentials } from '../../leaked-credentials/remove-revoked.ts'
import { validateStartPage } from '../../sign-in/destinations.ts'
import { requireRecentAuthentication } from '../../sign-in/recent-authentication.ts'
import { requireChangeableAddress } from '../../sign-in/required-sign-in.ts'
import { requireWaysKept } from '../../sign-in/ways-to-sign-in.ts'
import { endOtherClaims, requireUnclaimed } from '../addresses/other-claims.ts'
import { changeAttributes } from '../attributes/attributes.ts'
import { buildSkeletonField } from '../names/lookalikes.ts'
import { validateNewUsername, validateUser } from '../names/user-validation.ts'
import {
  type CallerRights,
  findVerifier,
  getJoinGuard,
  readCallerRights,
  requireControl,
  requireControlOfAccount,
  requireProofForRights,
} from '../rights/account-rights.ts'
import { buildAdminAccessSteps, buildJoinNotice } from '../rights/admin-access-steps.ts'
import { buildNewStart, buildNewStartSteps, exceedsLimit, limitRights } from '../rights/rights-limit.ts'
import { toManagedUser } from './one-user.use-cases.ts'
import type { users } from './users.operations.ts'

/** Replaces all editable fields of a user. Fields that the body omits return to their defaults. */
export const updateUser: UseCase<typeof users.updateUser> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  const edited = await applyChanges(request, services, user, replaceUserFields(user, request.body))
  return { status: 200, body: await toManagedUser(services, edited) }
}

/** Changes the fields that the body contains. */
export const patchUser: UseCase<typeof users.patchUser> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  const { fields, before } = toUserChange(user, {})
  requireUnchanged(request.context, { comparable: listValueFields(fields), before })
  const edited = await applyChanges(request, services, user, patchUserFields(user, request.body))
  return { status: 200, body: await toManagedUser(services, edited) }
}

type Request = Pick<UseCaseRequest<typeof users.patchUser>, 'body' | 'principal' | 'context'>

const applyChanges = async (
  { body, principal, context }: Request,
  services: Services,
  user: UserRecord,
  given: FieldChanges,
): Promise<UserRecord> => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  await requireControlOfAccount(table, rights, user)
  const groups = await findGroups(table, body.groups ?? [])
  requireControl(rights, body.permissions ?? [], groups)
  const attributes = await changeAttributes(
    table,
    given.attributes ?? user.attributes,
    body.attributes,
    'manager',
  )
  const wanted = { ...given, attributes: attributes.stored }
  const isRenamed =
    wanted.normalizedUsername !== undefined && wanted.normalizedUsername !== user.normalizedUsername
  const errors = [
    ...attributes.errors,
    ...(await validateUser(body, async () => groups)),
    ...(user.isProgram ? listProgramErrors(body) : []),
    ...(isRenamed
      ? validateNewUsername(services.config, body.username ?? '', readAddress(user, given, rights))
      : []),
    ...validateStartPage(services.config, body.default_page, user.default_page),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const { username } = wanted
  const isRespelled = username !== undefined && username !== user.username
  const skeleton = isRespelled ? await buildSkeletonField(services.config, username) : {}
  const changes = diffFields<FieldChanges>(user, { ...wanted, ...skeleton })
  if (Object.keys(changes).length === 0) return user
  // A stolen session must not lead the emails of an account to the thief.
  if (changes.email !== undefined) await requireRecentAuthentication(services, principal)
  if (decidesAboutAccess(changes))
    await requireProofForRights(services, principal, [user, { ...user, ...changes }])
  const emailState = buildEmailStateChange(user, changes, findVerifier(rights))
  if (changes.normalizedEmail && emailState.emailVerified === false)
    await requireUnclaimed(services, changes.normalizedEmail, user.id)
  const { rightsLimit: limit } = user
  const givesOrVouches = rightsGivingFields.some((field) => Object.hasOwn(changes, field))
  const isNewStart =
    limit !== undefined && givesOrVouches && (await exceedsLimit(table, { ...user, ...changes }))
  const endsSessions = isNewStart || locksOut(changes, services.now())
  const edit = endsSessions ? editUserEndingSessions : editUser
  const isByOther = principal.actor !== undefined || user.id !== principal.user.id
  const keptLimit = isNewStart ? undefined : limit
  const rightsLimit =
    changes.email && isByOther
      ? limitRights(keptLimit, rights, { nowMs: services.now(), setsEmail: true })
      : keptLimit
  const joined = changes.groups ? groups.filter(({ id }) => !user.groups.includes(id)) : []
  const newStart = isNewStart ? buildNewStart(services, user, limit) : {}
  await requireChangeableAddress(services, user, { ...newStart, ...changes, ...emailState }, rights)
  if (!isByOther && decidesAboutAccess(changes))
    await requireWaysKept(services, user, { user: { ...changes, ...emailState } })
  const extraSteps = [
    ...changeSteps(context, 'user.changed', {
      user: user.id,
      change: toUserChange(user, changes),
    }),
    ...buildAdminAccessSteps(context, user.permissions, changes.permissions, {
      user: user.id,
      name: user.username,
    }),
    ...(hasAdminAccess(changes.permissions ?? user.permissions)
      ? []
      : buildJoinNotice(context, user.username, joined)),
    ...(changes.normalizedEmail === undefined || !isByOther
      ? []
      : await buildSignInSetSteps(services, context, user)),
    ...(changes.normalizedEmail === undefined
      ? []
      : buildSecurityNoticeStep(services, context, user, { kind: 'email_changed' })),
    ...(isNewStart
      ? buildNewStartSteps(services, context, user, { ...newStart, ...changes, ...emailState })
      : []),
    ...(emailState.emailVerified === false
      ? [buildOutboxStep({ kind: 'email_confirmation', userId: user.id }, context, services.now())]
      : []),
  ]
  const guard = getJoinGuard(rights, groups)
  const endsReports = isByOther && takeoverFields.some((field) => Object.hasOwn(changes, field))
  const fields = endsReports ? { ...changes, ...buildEndReportsChange(services) } : changes
  const edited = await edit(
    table,
    user,
    { ...newStart, ...fields, ...emailState, ...(rightsLimit === limit ? {} : { rightsLimit }) },
    { extraSteps, guard },
  )
  if (isNewStart) await tryRemoveRevokedCredentials(services, edited, context)
  if (changes.normalizedEmail !== undefined) await endOtherClaims(services, context, edited)
  return edited
}

/** A service account is no administrator, and nobody signs in to it, such as by a link to its address. */
const listProgramErrors = ({ permissions = [], email }: Request['body']): readonly FieldError[] => [
  ...(hasAdminAccess(permissions)
    ? [{ field: 'permissions', message: `must not contain ${adminAccess} for a service account` }]
    : []),
  ...(email ? [{ field: 'email', message: 'must be null for a service account' }] : []),
]

/** The address of the user after a change, and whether it counts. */
const readAddress = (user: UserRecord, given: FieldChanges, rights: CallerRights) => {
  const changes = diffFields<FieldChanges>(user, given)
  const after = { ...user, ...changes, ...buildEmailStateChange(user, changes, findVerifier(rights)) }
  return {
    normalizedEmail: after.normalizedEmail,
    isVerified: hasVerifiedEmail(after) && !isGuestUser(after),
  }
}

/** Whether a change is about more than how the account is shown. */
const decidesAboutAccess = (changes: UserChanges): boolean =>
  Object.keys(changes).some((field) => !appearanceFields.includes(field))

/** Whether a change disables the user. Their sessions then end for good, even if the account is enabled again. */
const locksOut = ({ is_enabled: isEnabled, expiresAt = null }: UserChanges, nowMs: number): boolean =>
  isEnabled === false || (expiresAt !== null && expiresAt <= nowMs)
