import { listSeenBy, listSettableBy } from '../../kernel/contract/field-rights.ts'
import { listInitials } from '../../kernel/contract/model.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import { storedGroupFields } from './groups.models.ts'
import { ServiceUserProfile, ServiceUserProfileUpdate } from './profile.models.ts'
import { UserTemplate, UserTemplateUpdate } from './templates.models.ts'
import { givenUserFields, ServiceUserMini, storedUserFields } from './user-fields.models.ts'

/*
 * The names of fields that answers show as they are stored, and values of new records. They are computed when functions are built, because functions contain
 * no schemas of responses.
 */

/** The names that a model has as well. */
const listShared = <Name extends string, Other extends string>(
  fields: Readonly<Record<Name, unknown>>,
  model: Readonly<Record<Other, unknown>>,
) => listNames(fields).filter((name): name is Name & Other => Object.hasOwn(model, name))

export const userNames = listNames(storedUserFields)
export const givenUserNames = listNames(givenUserFields)
export const profileNames = listShared(storedUserFields, ServiceUserProfile.def.shape)
export const givenProfileNames = listShared(givenUserFields, ServiceUserProfileUpdate.def.shape)
export const userReferenceNames = listShared(storedUserFields, ServiceUserMini.def.shape)
export const groupNames = listSeenBy(storedGroupFields, 'service')
export const givenGroupNames = listSettableBy(storedGroupFields, 'service')
/** The values of a new group, except its name. */
export const newGroup = listInitials(storedGroupFields)
export const templateNames = listNames(UserTemplate.def.shape)
export const givenTemplateNames = listShared(UserTemplate.def.shape, UserTemplateUpdate.def.shape)
