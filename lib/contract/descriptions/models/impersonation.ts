import { ImpersonationEndpointRequest } from '../../models/impersonation.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'

export const impersonationTexts = [
  describeModel(ImpersonationEndpointRequest, {
    description: 'The user whom an administrator impersonates in their own session.',
    fields: {
      user: 'The ID of the user. They must be active, and neither an administrator nor the caller.',
    },
    example: { user: exampleIds.user },
  }),
]
