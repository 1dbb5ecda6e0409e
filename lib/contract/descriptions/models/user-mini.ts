import { ServiceUserMini } from '../../models/user-mini.ts'
import { describeModel } from '../describe.ts'
import { exampleUserMini } from '../example-values.ts'
import { userFieldTexts } from './user-fields.ts'

const { id, display_name, email, full_name, is_external, is_cloud, username } = userFieldTexts

export const userMiniTexts = [
  describeModel(ServiceUserMini, {
    description:
      'A user in short, where another object refers to them. Callers without `users:view` see a recipient of an access link as a placeholder such as `User 7`. A deleted user is shown as `Deleted user`.',
    fields: { id, display_name, email, full_name, is_external, is_cloud, username },
    example: exampleUserMini,
  }),
]
