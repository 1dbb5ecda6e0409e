import * as z from 'zod/mini'
import { ServiceUserReference } from '../../accounts/users/users.models.ts'
import { adminBySession, anyone, withPermissionBySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { signUpLinkLifetimeMs, signUpRequestsMax } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import {
  exampleSignUpRequestId,
  SignUpCompletion,
  SignUpOffer,
  SignUpPolicy,
  SignUpRequest,
  SignUpResult,
  SignUpStart,
  SignUpToken,
} from './sign-up.models.ts'

const manage = withPermissionBySession('users:manage')
const requestId = {
  description: 'The ID of the request, from `get_sign_up_requests`.',
  example: exampleSignUpRequestId,
}

/** How people create their own account, as far as the policy allows it. */
export const signUp = {
  requestSignUp: defineOperation({
    id: 'request_sign_up',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/sign-up',
    access: anyone,
    summary: 'Email a link to sign up',
    body: SignUpStart,
    responses: { 204: null },
    errors: ['permission_denied', 'too_many_requests'],
    limits: [
      'signUpsPerAddress',
      'signUpsPerDomain',
      'signUpsPerRecipient',
      'mailRequests',
      'knownBrowserUses',
    ],
    text:
      docs &&
      describe(() => ({
        description: `Emails a link with which a person creates their own account. It makes one account, within ${describeDuration(signUpLinkLifetimeMs)}. For an
address that has an account, the response is the same, and the email says so. An address that gets no email has the same response, too.

While no one may sign up, the response is a 403. An address of another domain than the policy lists is a 400.`,
        parameters: {},
        request: [{ summary: 'An address', value: exampleOf(SignUpStart) }],
      })),
  }),
  findSignUp: defineOperation({
    id: 'find_sign_up',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/sign-up/link',
    access: anyone,
    summary: 'Look up a link to sign up, without using it',
    body: SignUpToken,
    responses: { 200: docs && SignUpOffer },
    errors: ['invalid_token', 'permission_denied', 'too_many_requests'],
    audit: ['sign_up.link_refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Looks up the token of a link to sign up, without using it. An unknown, used or expired one is a 400 \`invalid_token\`.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: exampleOf(SignUpToken) }],
        responses: { 200: [{ summary: 'A link that works', value: exampleOf(SignUpOffer) }] },
      })),
  }),
  completeSignUp: defineOperation({
    id: 'complete_sign_up',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/auth/sign-up/complete',
    access: anyone,
    summary: 'Create an account with a link to sign up, or ask for its approval',
    body: SignUpCompletion,
    responses: { 200: docs && SignUpResult },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: [
      'email.claim_ended',
      'user.renamed',
      'user.created',
      'sign_up.completed',
      'sign_up.waiting',
      'sign_up.link_refused',
      'hook.failed',
      'hook.refused',
    ],
    limits: ['lookUpFailures', 'signUpNoticesPerApprover', 'refusedSignUps'],
    text:
      docs &&
      describe(() => ({
        description: `Creates the account of a person whose address the link proves. The address is also the username. The token in the response works like
the one of an invitation. If the policy requires approval, the request waits instead, and the response has no token. Up to ${signUpRequestsMax}
requests wait, and further ones are a 409.

The policy of this moment counts: the link does not work any more when no one may sign up, or when the domain is no longer listed.`,
        parameters: {},
        request: [{ summary: 'A new user who accepts the terms', value: exampleOf(SignUpCompletion) }],
        responses: { 200: [{ summary: 'A new account', value: exampleOf(SignUpResult) }] },
      })),
  }),
  getSignUpPolicy: defineOperation({
    id: 'get_sign_up_policy',
    group: 'invitations',
    method: 'GET',
    path: '/api/2/system/sign-up-policy',
    access: adminBySession,
    summary: 'Get the sign-up policy',
    responses: { 200: docs && SignUpPolicy },
    text:
      docs &&
      describe(() => ({
        description: 'Gets who may create their own account, and what new users begin with and accept.',
        parameters: {},
        responses: { 200: [{ summary: 'A policy', value: exampleOf(SignUpPolicy) }] },
      })),
  }),
  updateSignUpPolicy: defineOperation({
    id: 'update_sign_up_policy',
    group: 'invitations',
    method: 'PUT',
    path: '/api/2/system/sign-up-policy',
    access: adminBySession,
    summary: 'Replace the sign-up policy',
    body: SignUpPolicy,
    responses: { 200: docs && SignUpPolicy },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['sign_up_policy.changed'],
    seals: { kinds: ['sign_up_policy'] },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Replaces who may create their own account. It takes effect at once, also for links and requests that wait. Existing users stay as they
are.`,
        parameters: {},
        request: [
          { summary: 'Everyone with an address of a domain', value: exampleOf(SignUpPolicy) },
          { summary: 'No one', value: { mode: 'off' } },
        ],
        responses: { 200: [{ summary: 'The new policy', value: exampleOf(SignUpPolicy) }] },
      })),
  }),
  getSignUpRequests: defineOperation({
    id: 'get_sign_up_requests',
    group: 'invitations',
    method: 'GET',
    path: '/api/2/sign-up-requests',
    access: manage,
    summary: 'List people who wait for the approval of their account, oldest first',
    responses: { 200: docs && z.array(SignUpRequest) },
    text:
      docs &&
      describe(() => ({
        description:
          'Lists all people with a verified address who wait for approval. The oldest request comes first.',
        parameters: {},
        responses: { 200: [{ summary: 'A request', value: [exampleOf(SignUpRequest)] }] },
      })),
  }),
  approveSignUp: defineOperation({
    id: 'approve_sign_up',
    group: 'invitations',
    method: 'POST',
    path: '/api/2/sign-up-requests/{key}/approve',
    access: manage,
    summary: 'Create the account of someone who waits for approval, and email them a link',
    responses: { 200: docs && ServiceUserReference },
    errors: ['not_found', 'permission_denied', 'conflict', 'too_many_requests'],
    notWhileImpersonating: true,
    audit: ['email.claim_ended', 'user.renamed', 'user.created', 'user.invited', 'sign_up.approved'],
    limits: ['invitationsPerInviter', 'invitationsPerRecipient'],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Creates the user, and sends them an invitation with which they choose how to sign in. Callers control all permissions of the template in
the policy.`,
        parameters: { key: requestId },
        responses: { 200: [{ summary: 'The new user', value: exampleOf(ServiceUserReference) }] },
      })),
  }),
  refuseSignUp: defineOperation({
    id: 'refuse_sign_up',
    group: 'invitations',
    method: 'DELETE',
    path: '/api/2/sign-up-requests/{key}',
    access: manage,
    summary: 'Refuse the account of someone who waits for approval',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['sign_up.refused'],
    text:
      docs &&
      describe(() => ({
        description: 'Deletes the request. The person gets no email, and can ask again.',
        parameters: { key: requestId },
      })),
  }),
}
