import { validateStartPage } from '../../lib/accounts/common/destinations.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { describeRightsLimit } from '../../lib/accounts/directory/rights-limit.ts'
import { showAttributes } from '../../lib/accounts/directory/user-attributes.ts'
import { readLanguage, selectParts, toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import { describeJoining } from '../../lib/accounts/invitations/invitation-state.ts'
import { buildOwnProfile } from '../../lib/accounts/sign-in/own-profile.ts'
import type { ServiceUserProfile, ServiceUserProfileUpdate } from '../../lib/contract/models/profile.ts'
import type { ServiceUserDetail } from '../../lib/contract/models/users.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { allowsPermission, sortPermissions } from '../../lib/features/access/permissions.ts'
import type { Principal } from '../../lib/features/access/principal.ts'
import { auditStep, type RequestContext } from '../../lib/features/access/request-context.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { AppError, invalidRequest } from '../../lib/kernel/errors/errors.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { formatTime } from '../../lib/kernel/util/time.ts'
import { emptyProfileFields, userClientFields } from '../../lib/published-clients/stored-fields.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import type { DeletionRequest, UserChanges, UserRecord } from '../../lib/store/directory/user-record.ts'
import { editUser } from '../../lib/store/directory/users.ts'

export const getUser: UseCase<typeof users.getUser> = async ({ params, query }, services) => {
  const user = await requireUser(services.table, params.id)
  return { status: 200, body: selectParts(await toManagedUser(services, user), query) }
}

export const getCurrentUser: UseCase<typeof users.getCurrentUser> = async ({ principal }, { table }) => ({
  status: 200,
  body: await buildOwnProfile(table, principal),
})

/** Updates the current user's profile. Users can change how they are shown, but none of their rights. */
export const updateCurrentUser: UseCase<typeof users.updateCurrentUser> = async (request, services) => ({
  status: 200,
  body: await changeProfile(request, services, readProfileFields(request.principal.user, request.body)),
})

/** Replaces the same fields. Fields that the body omits return to their defaults. */
export const updateProfile: UseCase<typeof users.updateProfile> = async (request, services) => ({
  status: 200,
  body: await changeProfile(request, services, {
    ...profileDefaults,
    ...readProfileFields(request.principal.user, {
      language: null,
      ...emptyProfileFields(),
      ...request.body,
    }),
  }),
})

const readProfileFields = (user: UserRecord, body: ServiceUserProfileUpdate): UserChanges =>
  omitUndefined({
    fullName: body.full_name,
    language: readLanguage(body, user.language),
    defaultPage: body.default_page,
    attributes: userClientFields.write(body, user.attributes),
  })

const profileDefaults = { fullName: null, language: null, defaultPage: '/' }

const changeProfile = async (
  request: Pick<UseCaseRequest<typeof users.updateProfile>, 'principal' | 'context'>,
  { table, config }: Services,
  wanted: UserChanges,
): Promise<ServiceUserProfile> => {
  const { principal } = request
  requireOwnSession(principal)
  const errors = validateStartPage(config, wanted.defaultPage, principal.user.defaultPage)
  if (errors.length > 0) throw invalidRequest(errors)
  const user = await changeOwnUser(table, request, wanted)
  return buildOwnProfile(table, { ...principal, user })
}

/** The detail of a user with what only those who manage users see. */
export const toManagedUser = async (
  { table, now }: Services,
  user: UserRecord,
): Promise<ServiceUserDetail> => {
  const groups = await findGroups(table, user.groups)
  const withheld = groups
    .flatMap(({ permissions }) => permissions)
    .filter((permission) => !allowsPermission(user.rightsLimit, permission))
  return {
    ...toUserDetailWith(user, groups),
    ...describeJoining(user, now()),
    attributes: [...(await showAttributes(table, user))],
    ...(user.deletion ? { deletion: describeDeletion(user.deletion) } : {}),
    ...describeRightsLimit(user),
    ...(withheld.length > 0 ? { withheld_permissions: [...sortPermissions(withheld)] } : {}),
  }
}

const describeDeletion = ({ requestedAt, dueAt }: DeletionRequest): ServiceUserDetail['deletion'] => ({
  requested_at: formatTime(requestedAt),
  due_at: formatTime(dueAt),
})

/** Rejects sessions that an access link opened. */
export const requireOwnSession = ({ session }: Principal): void => {
  if (session?.accessToken)
    throw new AppError('permission_denied', {
      detail: 'Not allowed in a session that an access link opened. Sign in instead.',
    })
}

/** Writes what users change in their own account. Does nothing if everything is as it was. */
export const changeOwnUser = async (
  table: Table,
  { principal: { user }, context }: { readonly principal: Principal; readonly context: RequestContext },
  wanted: UserChanges,
): Promise<UserRecord> => {
  const changes = diffFields<UserChanges>(user, wanted)
  if (Object.keys(changes).length === 0) return user
  const target = listFieldNames(changes, user.attributes)
  return editUser(table, user, changes, {
    extraSteps: [auditStep(context, 'user.changed', { user: user.id, target })],
  })
}
