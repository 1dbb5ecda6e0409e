import { listNames, listSharedNames } from '../../kernel/util/object-fields.ts'
import { givenUserFields, ServiceUserMini, storedUserFields } from './user-fields.models.ts'

/*
 * Computed when functions are built, because functions contain no schemas of responses.
 */

export const userNames = listNames(storedUserFields)
export const givenUserNames = listNames(givenUserFields)
export const userReferenceNames = listSharedNames(storedUserFields, ServiceUserMini.def.shape)
