import {
  ServiceUserDetailCreation,
  ServiceUserDetailPartialUpdate,
  ServiceUserDetailUpdate,
} from '../../models/user-update.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { userDetailFieldTexts } from './user-detail.ts'
import { settableUserTexts } from './user-fields.ts'

const fields = { ...settableUserTexts, ...userDetailFieldTexts }

export const userUpdateTexts = [
  describeModel(ServiceUserDetailCreation, {
    description: 'A new user. Read-only fields of a user are accepted and ignored.',
    fields: {
      ...fields,
      invite:
        'With `true`, the user gets an email with an invitation: see `invite_user`. It needs an email address. Default: `false`.',
    },
    example: {
      username: 'grace',
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      permissions: [],
      groups: [exampleIds.group],
      invite: true,
    },
  }),
  describeModel(ServiceUserDetailUpdate, {
    description:
      'All settable fields of a user. Omitted fields return to their defaults. Read-only fields of a user are accepted and ignored.',
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
