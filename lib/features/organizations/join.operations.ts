import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import {
  InvitedAccount,
  InvitedAccountResult,
  OrganizationInvitationOffer,
  OrganizationInvitationToken,
} from './invitations.models.ts'

/** What the holder of a link does without an account. The function that creates accounts does it. */
export const joining = {
  findOrganizationInvitation: defineOperation({
    id: 'find_organization_invitation',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/organization-invitation',
    access: anyone,
    summary: 'Look up an invitation to an organization by the token of its link, without using it',
    body: OrganizationInvitationToken,
    responses: { 200: docs && OrganizationInvitationOffer },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
    audit: ['invitation.refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Shows who invites whom to which organization, with which roles. It uses nothing, however often it is called.

An unknown, used, revoked or expired token is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [
          { summary: 'The token of a link', value: { token: exampleCredentials.organizationInvitation } },
        ],
        responses: { 200: [{ summary: 'An invitation', value: exampleOf(OrganizationInvitationOffer) }] },
      })),
  }),
  completeInvitedSignUp: defineOperation({
    id: 'complete_invited_sign_up',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/organization-invitation/account',
    access: anyone,
    summary: 'Create an account for an address that an organization invited',
    body: InvitedAccount,
    responses: { 200: docs && InvitedAccountResult },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: [
      ...(['user.created', 'sign_up.completed', 'email.claim_ended'] as const),
      ...(['user.renamed', 'invitation.refused', 'hook.failed', 'hook.refused'] as const),
    ],
    limits: ['lookUpFailures', 'refusedSignUps'],
    text:
      docs &&
      describe(() => ({
        description: `Creates the account of a person without one. The link proved their address. Go on with the returned token as with that of
\`complete_sign_up\`: the person chooses a password, a passkey, or the account of their company. Then accept the invitation in their session.
It works while signing up is off, too: the organization answers for the people that it invites.

An address with an account is a 409 with the reason \`account_exists\`.`,
        parameters: {},
        request: [{ summary: 'A new person', value: exampleOf(InvitedAccount) }],
        responses: { 200: [{ summary: 'A token to go on', value: exampleOf(InvitedAccountResult) }] },
      })),
  }),
}
