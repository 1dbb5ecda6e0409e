import * as list from '../../lib/features/directory/users/list-users.use-cases.ts'
import * as oneUser from '../../lib/features/directory/users/one-user.use-cases.ts'
import { users } from '../../lib/features/directory/users/users.operations.ts'
import { scimAgreements } from '../../lib/features/scim/agreements.operations.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  { ...users, ...scimAgreements },
  {
    ...onDemand(
      () => import('../../lib/features/scim/agreements.use-cases.ts'),
      'getOwnDirectories',
      'answerOwnDirectory',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/users/apps.use-cases.ts'),
      'getOwnApps',
      'getUserApps',
      'endOwnApp',
      'endUserApp',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/attributes/attributes.use-cases.ts'),
      'getUserAttributes',
      'updateUserAttributes',
      'getOwnAttributes',
      'updateOwnAttributes',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/addresses/email.use-cases.ts'),
      'changeOwnEmail',
      'confirmEmail',
      'findEmailConfirmation',
      'rejectEmailConfirmation',
      'sendEmailConfirmation',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/users/create-user.use-cases.ts'),
      'createUser',
      'inviteUser',
      'revokeInvitation',
      'sendPasswordReset',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/deletion/deletion.use-cases.ts'),
      'deleteUser',
      'getOwnAccountDeletion',
      'requestAccountDeletion',
      'withdrawAccountDeletion',
    ),
    ...oneUser,
    ...list,
    ...onDemand(() => import('../../lib/features/directory/merge/merge-users.use-cases.ts'), 'mergeUser'),
    ...onDemand(
      () => import('../../lib/features/directory/users/totp.use-cases.ts'),
      'enableTotp',
      'disableTotp',
      'syncTotp',
      'renewRecoveryCodes',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/company-accounts/company-accounts.use-cases.ts'),
      'getOwnCompanyAccounts',
      'getUserCompanyAccounts',
      'linkUserCompanyAccount',
    ),
    ...onDemand(
      () => import('../../lib/features/directory/company-accounts/unlink-company-account.use-cases.ts'),
      'unlinkOwnCompanyAccount',
      'unlinkUserCompanyAccount',
    ),
    ...onDemand(() => import('../../lib/features/sign-in/ways.use-cases.ts'), 'getUserSignInWays'),
    ...onDemand(
      () => import('../../lib/features/directory/users/update-user.use-cases.ts'),
      'updateUser',
      'patchUser',
    ),
  },
)
