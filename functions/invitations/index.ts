import { invitations } from '../../lib/features/invitations/operations.ts'
import * as useCases from '../../lib/features/invitations/use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(invitations, {
  ...useCases,
  ...onDemand(
    () => import('../../lib/features/invitations/passkey.use-cases.ts'),
    'startInvitationPasskey',
    'acceptInvitationWithPasskey',
  ),
  // No one can sign up unless the operator allows it.
  ...onDemand(
    () => import('../../lib/features/invitations/sign-up.use-cases.ts'),
    'requestSignUp',
    'findSignUp',
    'completeSignUp',
  ),
  ...onDemand(
    () => import('../../lib/features/organizations/join.use-cases.ts'),
    'findOrganizationInvitation',
    'completeInvitedSignUp',
  ),
  ...onDemand(
    () => import('../../lib/features/invitations/sign-up-policy.use-cases.ts'),
    'getSignUpPolicy',
    'updateSignUpPolicy',
  ),
  ...onDemand(
    () => import('../../lib/features/invitations/sign-up-requests.use-cases.ts'),
    'getSignUpRequests',
    'approveSignUp',
    'refuseSignUp',
  ),
})
