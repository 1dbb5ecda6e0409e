import { users } from '../../lib/contract/operations/users.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { readTotals } from '../../lib/store/engine/totals.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as list from './list.ts'
import * as oneUser from './one-user.ts'

/** Counts users and groups with one call, for any number of them. */
const getTotals: UseCase<typeof users.getTotals> = async (_, { table }) => {
  const count = await readTotals(table)
  return {
    status: 200,
    body: { users: count('user') - count('guest'), guests: count('guest'), groups: count('group') },
  }
}

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
  getTotals,
  ...onDemand(() => import('./unlink-saml-account.ts'), 'unlinkOwnSamlAccount', 'unlinkUserSamlAccount'),
  ...onDemand(() => import('./update.ts'), 'updateUser', 'patchUser'),
})
