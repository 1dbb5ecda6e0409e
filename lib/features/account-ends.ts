import * as apiTokens from './api-tokens/account-rows.ts'
import * as audit from './audit/account-rows.ts'
import * as connections from './connections/account-rows.ts'
import * as directory from './directory/account-rows.ts'
import * as leakedCredentials from './leaked-credentials/account-rows.ts'
import * as organizations from './organizations/account-rows.ts'
import * as passkeys from './passkeys/account-rows.ts'
import * as passwords from './passwords/account-rows.ts'
import * as provisioning from './provisioning/account-rows.ts'
import * as rememberedDevices from './remembered-devices/account-rows.ts'
import * as secondFactor from './second-factor/account-rows.ts'
import * as signIn from './sign-in/account-rows.ts'

/** What ends with an account. The tests fail for items of a user without a row. */
export const accountEnds = [
  ...apiTokens.ends,
  ...audit.ends,
  ...connections.ends,
  ...directory.ends,
  ...leakedCredentials.ends,
  ...organizations.ends,
  ...passkeys.ends,
  ...passwords.ends,
  ...provisioning.ends,
  ...rememberedDevices.ends,
  ...secondFactor.ends,
  ...signIn.ends,
]
