import { users } from '../../lib/contract/operations/users.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as apps from './apps.ts'
import * as attributes from './attributes.ts'
import * as create from './create.ts'
import * as deletion from './deletion.ts'
import * as email from './email.ts'
import * as list from './list.ts'
import * as merge from './merge.ts'
import * as oneUser from './one-user.ts'
import * as samlAccounts from './saml-accounts.ts'
import * as totals from './totals.ts'
import * as totp from './totp.ts'
import * as unlinkSamlAccount from './unlink-saml-account.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(users, {
  ...apps,
  ...attributes,
  ...email,
  ...create,
  ...deletion,
  ...oneUser,
  ...list,
  ...merge,
  ...totp,
  ...samlAccounts,
  ...totals,
  ...unlinkSamlAccount,
  ...update,
})
