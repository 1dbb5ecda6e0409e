import { passwords } from '../../lib/contract/operations/passwords.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as reset from './reset.ts'
import * as setPassword from './set-password.ts'
import * as signInPolicy from './sign-in-policy.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(passwords, {
  ...setPassword,
  ...useCases,
  ...reset,
  ...signInPolicy,
})
