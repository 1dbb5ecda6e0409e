import { storedGroupFields } from '../../accounts/groups/groups.models.ts'
import { givenUserFields, storedUserFields } from '../../accounts/users/user-fields.models.ts'
import { listSeenBy, listSettableBy } from '../../kernel/contract/field-rights.ts'
import { listInitials } from '../../kernel/contract/model.ts'
import { listNames, listSharedNames } from '../../kernel/util/object-fields.ts'
import { UserTemplate, UserTemplateUpdate } from './templates/templates.models.ts'
import { ServiceUserProfile, ServiceUserProfileUpdate } from './users/profile.models.ts'

/*
 * The names of fields that answers show as they are stored, and values of new records. They are computed when functions are built, because functions contain
 * no schemas of responses.
 */

export const profileBodyNames = listNames(ServiceUserProfile.def.shape)
export const profileNames = listSharedNames(storedUserFields, ServiceUserProfile.def.shape)
export const givenProfileNames = listSharedNames(givenUserFields, ServiceUserProfileUpdate.def.shape)
export const groupNames = listSeenBy(storedGroupFields, 'service')
export const givenGroupNames = listSettableBy(storedGroupFields, 'service')
/** The values of a new group, except its name. */
export const newGroup = listInitials(storedGroupFields)
export const templateNames = listNames(UserTemplate.def.shape)
export const givenTemplateNames = listSharedNames(UserTemplate.def.shape, UserTemplateUpdate.def.shape)
