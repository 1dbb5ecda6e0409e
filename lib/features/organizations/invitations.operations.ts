import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { byRole, bySession, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { emailCodeGuesses, emailCodeLifetimeMs, openInvitationsMax } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import {
  NewOrganizationInvitation,
  OrganizationInvitation,
  OrganizationInvitationAcceptance,
  OrganizationJoin,
  OrganizationJoinCodeRequest,
  OwnOrganizationInvitation,
} from './invitations.models.ts'
import { OwnOrganization } from './models.ts'

const idDescription =
  docs && ({ description: 'The ID of the organization.', example: exampleIds.organization } as const)
const invitationIdDescription =
  docs && ({ description: 'The ID of the invitation.', example: exampleIds.organizationInvitation } as const)

/** What members and the invited person do with an account. */
export const organizationInvitations = {
  getOrganizationInvitations: defineOperation({
    id: 'get_organization_invitations',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/organizations/{id}/invitations',
    access: byRole('org:members:manage', 'organizations:view'),
    summary: 'List the invitations of an organization',
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OrganizationInvitation) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the invitations of an organization that were not accepted, declined or revoked, in the order of their IDs.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'Invitations', value: [exampleOf(OrganizationInvitation)] }] },
      })),
  }),
  createOrganizationInvitation: defineOperation({
    id: 'create_organization_invitation',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/invitations',
    access: byRole('org:members:manage', 'organizations:manage'),
    summary: 'Invite a person to an organization by email',
    body: NewOrganizationInvitation,
    responses: { 201: docs && OrganizationInvitation },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['organization.invited'],
    limits: [
      ...(['invitationsPerInviter', 'invitationsPerOrganization', 'invitationsPerRecipient'] as const),
      ...(['invitationsPerRecipientAndOrganization', 'provenInvitationsPerRecipient'] as const),
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a link with which the person joins the organization, with an account that they have or create. The answer is the same for
addresses with and without an account. Members give only roles that they could give to a member. When the person accepts, the inviter must
still be allowed to give them.

An organization has at most ${openInvitationsMax} open invitations, and one for each address: 409 with the reason \`too_many_invitations\` or
\`already_invited\`.`,
        parameters: { id: idDescription },
        request: [{ summary: 'A colleague', value: exampleOf(NewOrganizationInvitation) }],
        responses: { 201: [{ summary: 'The invitation', value: exampleOf(OrganizationInvitation) }] },
      })),
  }),
  resendOrganizationInvitation: defineOperation({
    id: 'resend_organization_invitation',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/organizations/{id}/invitations/{invitation_id}/resend',
    access: byRole('org:members:manage', 'organizations:manage'),
    summary: 'Send an invitation to an organization again',
    responses: { 200: docs && OrganizationInvitation },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['organization.invitation_resent'],
    limits: [
      ...(['invitationResends', 'invitationsPerInviter'] as const),
      ...(['invitationsPerOrganization', 'invitationsPerRecipient'] as const),
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a new link, which works as long as the first one did. The former link stops working at once. The caller becomes the inviter,
so they must be allowed to give the roles.`,
        parameters: { id: idDescription, invitation_id: invitationIdDescription },
        responses: { 200: [{ summary: 'The invitation', value: exampleOf(OrganizationInvitation) }] },
      })),
  }),
  revokeOrganizationInvitation: defineOperation({
    id: 'revoke_organization_invitation',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/organizations/{id}/invitations/{invitation_id}',
    access: byRole('org:members:manage', 'organizations:manage'),
    summary: 'Revoke an invitation to an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['organization.invitation_revoked'],
    text:
      docs &&
      describe(() => ({
        description: 'Ends an invitation. Its link stops working at once.',
        parameters: { id: idDescription, invitation_id: invitationIdDescription },
      })),
  }),
  getOwnOrganizationInvitations: defineOperation({
    id: 'get_own_organization_invitations',
    group: 'organizations',
    method: 'GET',
    path: '/api/2/users/me/organization-invitations',
    access: withScope('profile:view'),
    summary: "List the current user's invitations to organizations",
    query: z.strictObject({ ordering: ordering(['id']), ...paging }),
    responses: { 200: docs && z.array(OwnOrganizationInvitation) },
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the open invitations for the verified address of the current user. Each is accepted with the link in its email, or with a code: see `request_organization_join_code`.',
        parameters: {},
        responses: { 200: [{ summary: 'Invitations', value: [exampleOf(OwnOrganizationInvitation)] }] },
      })),
  }),
  declineOrganizationInvitation: defineOperation({
    id: 'decline_organization_invitation',
    group: 'organizations',
    method: 'DELETE',
    path: '/api/2/users/me/organization-invitations/{id}',
    access: bySession,
    summary: 'Decline an invitation to an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    audit: ['organization.invitation_declined'],
    text:
      docs &&
      describe(() => ({
        description: 'Ends an invitation for the verified address of the current user.',
        parameters: { id: invitationIdDescription },
      })),
  }),
  acceptOrganizationInvitation: defineOperation({
    id: 'accept_organization_invitation',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/users/me/organization-invitations/accept',
    access: bySession,
    summary: 'Accept an invitation to an organization',
    body: OrganizationInvitationAcceptance,
    responses: { 200: docs && OwnOrganization },
    errors: ['invalid_token', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: [
      ...(['organization.member_added', 'organization.member_changed'] as const),
      ...(['organization.invitation_accepted', 'invitation.refused'] as const),
    ],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Makes the current user a member, and uses the invitation. Their verified address must be the invited one: otherwise 403 with the
reason \`other_address\`. If anything that \`find_organization_invitation\` showed has changed, the answer is a 409 with the reason
\`decision_changed\`: show it again.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: exampleOf(OrganizationInvitationAcceptance) }],
        responses: { 200: [{ summary: 'The organization', value: exampleOf(OwnOrganization) }] },
      })),
  }),
  requestOrganizationJoinCode: defineOperation({
    id: 'request_organization_join_code',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/users/me/organization-invitations/{id}/code',
    access: bySession,
    summary: 'Email a code to join an organization without the link of the invitation',
    responses: { 200: docs && OrganizationJoinCodeRequest },
    errors: ['not_found', 'permission_denied', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    limits: ['joinCodesPerAccount', 'joinCodesPerRecipient'],
    text:
      docs &&
      describe(() => ({
        description: `Emails a code of eight digits to the invited address, which must be the verified one of the current user. The code proves that
they still read its mailbox, so it is also sent right after a sign-in with an emailed code. It signs nobody in, and works while
\`allow_email_codes\` is off. Show the person the answer, let them enter the code, and call \`join_organization_with_code\`.

An invitation that makes an owner takes the link: 403 with the reason \`link_required\`.`,
        parameters: { id: invitationIdDescription },
        responses: { 200: [{ summary: 'A request', value: exampleOf(OrganizationJoinCodeRequest) }] },
      })),
  }),
  joinOrganizationWithCode: defineOperation({
    id: 'join_organization_with_code',
    group: 'organizations',
    method: 'POST',
    path: '/api/2/users/me/organization-invitations/{id}/join',
    access: bySession,
    summary: 'Join an organization with an emailed code',
    body: OrganizationJoin,
    responses: { 200: docs && OwnOrganization },
    errors: ['not_found', 'invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['organization.member_added', 'organization.invitation_accepted', 'email_code.refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Makes the current user a member, and uses the invitation and the code. The code ends after
${describeDuration(emailCodeLifetimeMs)} or ${emailCodeGuesses} wrong guesses, when the invitation is sent again, and when the password or the address of
the user changes. A wrong one is a 400 \`invalid_token\` with the reason \`email_code_invalid\`. If anything that
\`request_organization_join_code\` showed has changed, the answer is a 409 with the reason \`decision_changed\`: request a new code.`,
        parameters: { id: invitationIdDescription },
        request: [{ summary: 'An emailed code', value: exampleOf(OrganizationJoin) }],
        responses: { 200: [{ summary: 'The organization', value: exampleOf(OwnOrganization) }] },
      })),
  }),
}
