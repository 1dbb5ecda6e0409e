import { requireOwnSession } from '../../../accounts/callers/own-session.ts'
import { sortPermissions, takesFromGroups } from '../../../accounts/callers/permissions.ts'
import type { Principal } from '../../../accounts/callers/principal.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { changeSteps } from '../../../accounts/events/change-event.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { describeJoining } from '../../../accounts/users/invitation-state.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type {
  DeletionRequest,
  FieldChanges,
  UserRecord,
} from '../../../accounts/users/stored-user.records.ts'
import {
  describeVerifier,
  readLanguage,
  selectParts,
  toUserDetailWith,
} from '../../../accounts/users/user-body.ts'
import { toUserChange } from '../../../accounts/users/user-change.ts'
import { diffFields } from '../../../accounts/users/user-changes.ts'
import type { ServiceUserDetail } from '../../../accounts/users/users.models.ts'
import { editUser } from '../../../accounts/users/write-users.records.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { readGiven } from '../../../kernel/contract/projection.ts'
import { invalidRequest } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { formatTime } from '../../../kernel/util/time.ts'
import { emptyProfileFields, userClientFields } from '../../../published-clients/stored-fields.ts'
import type { Services } from '../../../services.ts'
import { describeKept } from '../../connections/describe-kept.ts'
import { validateStartPage } from '../../sign-in/destinations.ts'
import { buildOwnProfile } from '../../sign-in/own-profile.ts'
import { showAttributes } from '../attributes/attributes.ts'
import { givenProfileNames } from '../field-names.models.prebuilt.ts'
import { describeRightsLimit } from '../rights/rights-limit.ts'
import type { ServiceUserProfile, ServiceUserProfileUpdate } from './profile.models.ts'
import type { users } from './users.operations.ts'

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

/** Hides the first steps from an administrator, or shows them again. */
export const setOnboarding: UseCase<typeof users.setOnboarding> = async (request, { table }) => {
  await changeOwnUser(table, request, { hidesOnboarding: request.body.is_hidden || undefined })
  return { status: 204 }
}

const readProfileFields = (user: UserRecord, body: ServiceUserProfileUpdate): FieldChanges =>
  omitUndefined({
    ...readGiven(givenProfileNames, body),
    language: readLanguage(body, user.language),
    attributes: userClientFields.write(body, user.attributes),
  })

const profileDefaults = { full_name: null, language: null, default_page: '/' }

const changeProfile = async (
  request: Pick<UseCaseRequest<typeof users.updateProfile>, 'principal' | 'context'>,
  { table, config }: Services,
  wanted: FieldChanges,
): Promise<ServiceUserProfile> => {
  const { principal } = request
  requireOwnSession(principal)
  const errors = validateStartPage(config, wanted.default_page, principal.user.default_page)
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
    .filter((permission) => !takesFromGroups(user, permission))
  return {
    ...toUserDetailWith(user, groups),
    ...describeJoining(user, now()),
    attributes: [...(await showAttributes(table, user))],
    ...(await describeKept(table, user)),
    ...(user.deletion ? { deletion: describeDeletion(user.deletion) } : {}),
    ...describeRightsLimit(user),
    ...describeVerifier(user),
    ...(withheld.length > 0 ? { withheld_permissions: [...sortPermissions(withheld)] } : {}),
  }
}

const describeDeletion = ({ requestedAt, dueAt }: DeletionRequest): ServiceUserDetail['deletion'] => ({
  requested_at: formatTime(requestedAt),
  due_at: formatTime(dueAt),
})

/** Writes what users change in their own account. Does nothing if everything is as it was. */
export const changeOwnUser = async (
  table: Table,
  { principal: { user }, context }: { readonly principal: Principal; readonly context: RequestContext },
  wanted: FieldChanges,
): Promise<UserRecord> => {
  const changes = diffFields<FieldChanges>(user, wanted)
  if (Object.keys(changes).length === 0) return user
  const change = toUserChange(user, changes)
  return editUser(table, user, changes, {
    extraSteps: changeSteps(context, 'user.changed', { user: user.id, change }),
  })
}
