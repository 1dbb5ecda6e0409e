import { validateStartPage } from '../../lib/accounts/common/destinations.ts'
import { withScopes } from '../../lib/accounts/common/permissions.ts'
import { toUserProfile } from '../../lib/accounts/directory/user-body.ts'
import { readLanguage } from '../../lib/accounts/directory/user-fields.ts'
import { buildOwnProfile } from '../../lib/accounts/sign-in/own-profile.ts'
import type { ServiceUserProfile, ServiceUserProfileUpdate } from '../../lib/contract/models/profile.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { emptyProfileFields, userClientFields } from '../../lib/contract/published-clients/stored-fields.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { UserChanges, UserRecord } from '../../lib/store/directory/user-record.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import { changeOwnUser, requireOwnSession } from './own-user.ts'

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
  return toUserProfile(table, await withScopes(table, user, principal.scopes))
}
