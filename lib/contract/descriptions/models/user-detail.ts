import { ServiceUserDetail } from '../../models/user-detail.ts'
import { ldapValue } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { exampleUserFields, userFieldTexts } from './user-fields.ts'

/** The texts of the fields that single users have besides those of every view. */
export const userDetailFieldTexts = {
  groups:
    'The IDs of the groups of the user, at most 200. The user has the permissions of each group. Joining or leaving a group takes effect at once.',
  ldap: ldapValue,
}

const invitationText =
  'The invitation of the user, or null if there is none or it ended. Only operations under `/api/2/users` for those who manage users have it.'

const withheldText =
  'Permissions of groups that have no effect, because someone who lacks them set the password or the address of the user. They work after a holder of them has set the password or the address. Missing if there are none, and where `invitation` is missing.'

/** User 7, a member of group 3. */
export const exampleUserDetail = { ...exampleUserFields, groups: [exampleIds.group], ldap: null }

export const userDetailTexts = [
  describeModel(ServiceUserDetail, {
    description:
      'A user with all fields. Passwords and other secrets are never part of it. In sessions of access links, and for tickets of API tokens with scopes, permissions and groups are limited.',
    fields: {
      ...userFieldTexts,
      ...userDetailFieldTexts,
      invitation: invitationText,
      withheld_permissions: withheldText,
    },
    example: { ...exampleUserDetail, invitation: null },
  }),
]
