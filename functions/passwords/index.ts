import { passwords } from '../../lib/features/passwords/operations.ts'
import * as reset from '../../lib/features/passwords/reset.use-cases.ts'
import * as setPassword from '../../lib/features/passwords/set-password.use-cases.ts'
import * as useCases from '../../lib/features/passwords/use-cases.ts'
import * as signInPolicy from '../../lib/features/sign-in/policy.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(passwords, {
  ...setPassword,
  ...useCases,
  ...reset,
  ...signInPolicy,
})
