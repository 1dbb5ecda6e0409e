import { users } from '../../lib/contract/operations/users.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as list from './list.ts'
import * as oneUser from './one-user.ts'
import * as useCases from './use-cases.ts'

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
  ...onDemand(
    () => import('./create.ts'),
    'createUser',
    'inviteUser',
    'revokeInvitation',
    'sendPasswordReset',
  ),
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
  ...useCases,
  ...onDemand(() => import('./unlink-saml-account.ts'), 'unlinkOwnSamlAccount', 'unlinkUserSamlAccount'),
  ...onDemand(() => import('./update.ts'), 'updateUser', 'patchUser'),
})
