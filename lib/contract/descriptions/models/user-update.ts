import { ServiceUserDetailPartialUpdate, ServiceUserDetailUpdate } from '../../models/user-update.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { userDetailFieldTexts } from './user-detail.ts'
import { settableUserTexts } from './user-fields.ts'

const fields = { ...settableUserTexts, ...userDetailFieldTexts }

export const userUpdateTexts = [
  describeModel(ServiceUserDetailUpdate, {
    description:
      'A new user, or all settable fields of an existing one. When a user is replaced, omitted fields return to their defaults. Read-only fields of a user are accepted and ignored.',
    fields,
    example: {
      username: 'ada',
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      permissions: ['projects:view'],
      groups: [exampleIds.group],
      language: 'en',
    },
  }),
  describeModel(ServiceUserDetailPartialUpdate, {
    description: 'Changes of a user. Omitted fields keep their values.',
    fields,
    example: { full_name: 'Ada King', is_enabled: true },
  }),
]
