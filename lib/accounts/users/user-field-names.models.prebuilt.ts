import { listAudited } from '../../kernel/contract/model.ts'
import { listNames, listSharedNames } from '../../kernel/util/object-fields.ts'
import { userClientFieldNames } from '../../published-clients/stored-fields.ts'
import {
  givenUserFields,
  ServiceUserMini,
  settableUserFields,
  storedUserFields,
  type UserFieldChange,
} from './user-fields.models.ts'
import { ServiceUserDetail } from './users.models.ts'

/*
 * Computed when functions are built, because functions contain no schemas of responses.
 */

export const userNames = listNames(storedUserFields)
export const givenUserNames = listNames(givenUserFields)
export const userReferenceNames = listSharedNames(storedUserFields, ServiceUserMini.def.shape)
export const userBodyNames = listNames(ServiceUserDetail.def.shape)

/** The names that records have for the fields of this kind. */
const listStoredNames = (has: (change: UserFieldChange) => boolean): readonly string[] =>
  Object.entries<UserFieldChange>(settableUserFields).flatMap(([name, change]) =>
    has(change) ? [name === 'expiry' ? 'expiresAt' : name] : [],
  )

/** The fields in the records of users whose change only decides how the account is shown. */
export const appearanceFields = listStoredNames(({ decides }) => decides === 'appearance')
/** The fields in the records of users whose change has an effect: see `UserFieldEffect`. */
export const takeoverFields = listStoredNames(({ effects }) => effects.includes('takes_over'))
export const resetEndingFields = listStoredNames(({ effects }) => effects.includes('ends_reset_links'))
export const rightsGivingFields = listStoredNames(({ effects }) => effects.includes('gives_rights'))

/** What audit events have of the fields of users, also of those that published clients know as fields of their own. */
export const userAuditFields = {
  ...listAudited(settableUserFields),
  ...Object.fromEntries(userClientFieldNames.map((name) => [name, { inEvents: 'personal' as const }])),
}
