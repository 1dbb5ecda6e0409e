import { ServiceUser, ServiceUserReference } from '../../models/user.ts'
import { ldapServerId } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { exampleUserFields, userFieldTexts } from './user-fields.ts'

/** User 7 as a member of a group. */
export const exampleMember = { ...exampleUserFields, ldap: null }

export const userTexts = [
  describeModel(ServiceUser, {
    description:
      'A user as a member of a group. In very large groups, `permissions`, `group_permissions`, `effective_permissions` and `fm_bookmarks` of the last members are empty. Read the user to get them.',
    fields: { ...userFieldTexts, ldap: ldapServerId },
    example: exampleMember,
  }),
  describeModel(ServiceUserReference, {
    description: 'A user who is named by their ID.',
    fields: { id: 'The ID of an existing user.' },
    example: { id: exampleIds.user },
  }),
]
