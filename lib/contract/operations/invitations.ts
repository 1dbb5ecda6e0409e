import { anyone } from '../access.ts'
import {
  AcceptInvitationRequest,
  AcceptInvitationWithPasskeyRequest,
  Invitation,
  InvitationToken,
} from '../models/invitations.ts'
import { AuthLoginEndpointResponse } from '../models/login.ts'
import { PasskeyCreationOptions } from '../models/passkeys.ts'
import { defineOperation } from '../operation.ts'

export const invitations = {
  findInvitation: defineOperation({
    id: 'find_invitation',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation',
    access: anyone,
    summary: 'Look up an invitation by the token of its link, without using it',
    body: InvitationToken,
    responses: { 200: Invitation },
    errors: ['invalid_token', 'too_many_requests'],
  }),
  acceptInvitation: defineOperation({
    id: 'accept_invitation',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/accept',
    access: anyone,
    summary: 'Accept an invitation with a first password, and sign in',
    body: AcceptInvitationRequest,
    responses: { 200: AuthLoginEndpointResponse },
    errors: [
      'invalid_token',
      'login_incomplete',
      'password_rejected',
      'permission_denied',
      'conflict',
      'too_many_requests',
    ],
  }),
  startInvitationPasskey: defineOperation({
    id: 'start_invitation_passkey',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/passkey/options',
    access: anyone,
    summary: 'Get the options for a browser to create the first passkey of an invited user',
    body: InvitationToken,
    responses: { 200: PasskeyCreationOptions },
    errors: ['invalid_token', 'permission_denied', 'too_many_requests'],
  }),
  acceptInvitationWithPasskey: defineOperation({
    id: 'accept_invitation_with_passkey',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/invitation/passkey',
    access: anyone,
    summary: 'Accept an invitation with a first passkey, and sign in',
    body: AcceptInvitationWithPasskeyRequest,
    responses: { 200: AuthLoginEndpointResponse },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
  }),
}
