import { passwords } from '../../lib/contract/operations/passwords.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as changeOwnPassword from './change-own-password.ts'
import * as evaluate from './evaluate.ts'
import * as generate from './generate.ts'
import * as policy from './policy.ts'
import * as reportChange from './report-change.ts'
import * as requestReset from './request-reset.ts'
import * as reset from './reset.ts'
import * as setPassword from './set-password.ts'
import * as signInPolicy from './sign-in-policy.ts'

export const handler = createGroupHandler(passwords, {
  ...changeOwnPassword,
  ...evaluate,
  ...generate,
  ...policy,
  ...reportChange,
  ...requestReset,
  ...reset,
  ...setPassword,
  ...signInPolicy,
})
