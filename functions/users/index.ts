import { users } from '../../lib/contract/operations/users.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as apps from './apps.ts'
import * as attributes from './attributes.ts'
import * as changeOwnEmail from './change-own-email.ts'
import * as confirmEmail from './confirm-email.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as get from './get.ts'
import * as invite from './invite.ts'
import * as linkSamlAccount from './link-saml-account.ts'
import * as list from './list.ts'
import * as me from './me.ts'
import * as merge from './merge.ts'
import * as ownDeletion from './own-deletion.ts'
import * as recoveryCodes from './recovery-codes.ts'
import * as samlAccounts from './saml-accounts.ts'
import * as sendConfirmation from './send-confirmation.ts'
import * as sendReset from './send-reset.ts'
import * as totals from './totals.ts'
import * as totpDisable from './totp-disable.ts'
import * as totpEnable from './totp-enable.ts'
import * as totpSync from './totp-sync.ts'
import * as unlinkSamlAccount from './unlink-saml-account.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(users, {
  ...apps,
  ...attributes,
  ...changeOwnEmail,
  ...confirmEmail,
  ...create,
  ...deletion,
  ...get,
  ...invite,
  ...list,
  ...me,
  ...merge,
  ...ownDeletion,
  ...recoveryCodes,
  ...linkSamlAccount,
  ...samlAccounts,
  ...sendConfirmation,
  ...sendReset,
  ...totals,
  ...totpDisable,
  ...totpEnable,
  ...totpSync,
  ...unlinkSamlAccount,
  ...update,
})
