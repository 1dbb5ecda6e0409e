import { users } from '../../lib/contract/operations/users.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as list from './list.ts'
import * as oneUser from './one-user.ts'
import * as totals from './totals.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(users, {
  ...onDemand(() => import('./apps.ts'), 'getOwnApps', 'getUserApps', 'endOwnApp', 'endUserApp'),
  ...onDemand(
    () => import('./attributes.ts'),
    'getUserAttributes',
    'updateUserAttributes',
    'getOwnAttributes',
    'updateOwnAttributes',
  ),
  ...onDemand(() => import('./email.ts'), 'changeOwnEmail', 'confirmEmail', 'sendEmailConfirmation'),
  ...create,
  ...onDemand(
    () => import('./deletion.ts'),
    'deleteUser',
    'getOwnAccountDeletion',
    'requestAccountDeletion',
    'withdrawAccountDeletion',
  ),
  ...oneUser,
  ...list,
  ...onDemand(() => import('./merge.ts'), 'mergeUser'),
  ...onDemand(() => import('./totp.ts'), 'enableTotp', 'disableTotp', 'syncTotp', 'renewRecoveryCodes'),
  ...onDemand(
    () => import('./saml-accounts.ts'),
    'getOwnSamlAccounts',
    'getUserSamlAccounts',
    'linkUserSamlAccount',
  ),
  ...totals,
  ...onDemand(() => import('./unlink-saml-account.ts'), 'unlinkOwnSamlAccount', 'unlinkUserSamlAccount'),
  ...update,
})
