import * as accessLinks from './access-links/account-rows.ts'
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

/** What becomes of the items of a merged user. The tests fail for items of a user without a row. */
export const accountMerges = [
  ...apiTokens.merges,
  ...audit.merges,
  ...connections.merges,
  ...directory.merges,
  ...leakedCredentials.merges,
  ...organizations.merges,
  ...passkeys.merges,
  ...passwords.merges,
  ...provisioning.merges,
  ...rememberedDevices.merges,
  ...secondFactor.merges,
  ...signIn.merges,
]

/** What moves things of a merged user outside of their partition. */
export const accountMoves = [accessLinks.moveElsewhere]

/** What keeps two users from being merged: in this order, because the first one is the answer. */
export const mergeObstacles = [apiTokens.findMergeObstacle, directory.findMergeObstacle]
