import { invitations } from '../../lib/contract/operations/invitations.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(invitations, {
  ...useCases,
  ...onDemand(() => import('./passkey.ts'), 'startInvitationPasskey', 'acceptInvitationWithPasskey'),
  // No one can sign up unless the operator allows it.
  ...onDemand(() => import('./sign-up.ts'), 'requestSignUp', 'findSignUp', 'completeSignUp'),
  ...onDemand(() => import('./sign-up-policy.ts'), 'getSignUpPolicy', 'updateSignUpPolicy'),
  ...onDemand(() => import('./sign-up-requests.ts'), 'getSignUpRequests', 'approveSignUp', 'refuseSignUp'),
})
