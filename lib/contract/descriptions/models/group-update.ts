import { ServiceGroupDetailPartialUpdate, ServiceGroupDetailUpdate } from '../../models/group-update.ts'
import { ldapValue } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { settableGroupTexts } from './groups.ts'

const fields = {
  ...settableGroupTexts,
  ldap: ldapValue,
  members:
    'All members of the group after the request, at most 1,000: IDs, or objects with an `id`. Users who are not listed leave the group. Guests of access links cannot be members. To change a larger group, change `groups` of its users.',
}

export const groupUpdateTexts = [
  describeModel(ServiceGroupDetailUpdate, {
    description:
      'A new group, or all settable fields of an existing one. When a group is replaced, omitted fields return to their defaults. Without `members`, the group has no members afterwards.',
    fields,
    example: { name: 'editors', permissions: ['media:access'], members: [exampleIds.user] },
  }),
  describeModel(ServiceGroupDetailPartialUpdate, {
    description: 'Changes of a group. Omitted fields keep their values, and so do the members.',
    fields,
    example: { permissions: ['media:access', 'projects:view'] },
  }),
]
