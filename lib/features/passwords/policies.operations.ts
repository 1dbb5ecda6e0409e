import { adminBySession, anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { passwordMaxLength, passwordMinLength } from '../../kernel/limits/password-limits.ts'
import { SessionReview, SignInPolicy } from '../sign-in/models.ts'
import { PasswordPolicy } from './models.ts'

const examplePasswordPolicy = docs && {
  min_length: 14,
  no_pwned: true,
  rules: [{ group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }],
}

const exampleSignInPolicy = docs && {
  second_factor_for_permissions: ['system:admin-access'],
  second_factor_grace_days: 14,
  password_only_min_length: 15,
}

const lengthRuleDescription =
  docs && `A password has ${passwordMinLength} to ${passwordMaxLength.toLocaleString('en-US')} characters`

/** The policies of passwords and sign-ins. */
export const passwordsPolicies = {
  getPasswordPolicy: defineOperation({
    id: 'get_password_policy',
    group: 'passwords',
    method: 'GET',
    path: '/api/2/system/password-policy',
    access: anyone,
    summary: 'Get the password policy',
    responses: { 200: docs && PasswordPolicy },
    text:
      docs &&
      describe(() => ({
        description: `Gets the rules for new passwords. It needs no credential, so that a page can show the rules before the user signs in. To
check a password against all rules, which also depend on the user, call \`evaluate_password\`.`,
        parameters: {},
        responses: { 200: [{ summary: 'A policy', value: exampleOf(PasswordPolicy) }] },
      })),
  }),
  updatePasswordPolicy: defineOperation({
    id: 'update_password_policy',
    group: 'passwords',
    method: 'PUT',
    path: '/api/2/system/password-policy',
    access: adminBySession,
    summary: 'Replace the password policy',
    body: PasswordPolicy,
    responses: { 200: docs && PasswordPolicy },
    errors: ['conflict'],
    recentAuthentication: true,
    audit: ['password_policy.changed'],
    seals: { kinds: ['password_policy'] },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Replaces the rules for new passwords. A field that you leave out requires nothing. Existing passwords keep working.
Expressions use the RE2 syntax and match anywhere in the password. ${lengthRuleDescription} under
every policy.

A policy that no generated password can meet is a 400, because it would lock users out.`,
        parameters: {},
        request: [{ summary: '14 characters and a digit', value: examplePasswordPolicy }],
        responses: {
          200: [
            {
              summary: 'The new policy',
              value: { ...examplePasswordPolicy, min_entropy_bits: null, regex: null },
            },
          ],
        },
      })),
  }),
  getSignInPolicy: defineOperation({
    id: 'get_sign_in_policy',
    group: 'passwords',
    method: 'GET',
    path: '/api/2/system/sign-in-policy',
    access: adminBySession,
    summary: 'Get the sign-in policy',
    responses: { 200: docs && SignInPolicy },
    text:
      docs &&
      describe(() => ({
        description: `Gets what the service requires of sign-ins. The policy says who needs a second factor and from when. It also says how long a
password must be without one, and whether users may sign in with emailed codes.`,
        parameters: {},
        responses: { 200: [{ summary: 'A policy', value: exampleOf(SignInPolicy) }] },
      })),
  }),
  updateSignInPolicy: defineOperation({
    id: 'update_sign_in_policy',
    group: 'passwords',
    method: 'PUT',
    path: '/api/2/system/sign-in-policy',
    access: adminBySession,
    summary: 'Replace the sign-in policy',
    body: SignInPolicy,
    responses: { 200: docs && SignInPolicy },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['sign_in_policy.changed'],
    seals: { kinds: ['sign_in_policy'] },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Replaces what the service requires of sign-ins. A field that you leave out requires nothing. If it changes who needs a
second factor, the grace period starts again for all users.

Open sessions follow within minutes: see \`get_session_review\`. Sessions without a second factor that everybody needs end with the grace
period. Permissions and groups that need one rest in them: see the reason \`second_factor_required\`.

Without a grace period, one administrator must have the second factor already. Otherwise nobody could act.`,
        parameters: {},
        request: [
          {
            summary: 'A second factor for administrators within two weeks, and 15 characters without one',
            value: exampleSignInPolicy,
          },
          { summary: 'Sign-in with emailed codes', value: { allow_email_codes: true } },
        ],
        responses: { 200: [{ summary: 'The new policy', value: exampleOf(SignInPolicy) }] },
      })),
  }),
  getSessionReview: defineOperation({
    id: 'get_session_review',
    group: 'passwords',
    method: 'GET',
    path: '/api/2/system/session-review',
    access: adminBySession,
    summary: 'Get how far the review of open sessions is',
    responses: { 200: docs && SessionReview },
    text:
      docs &&
      describe(() => ({
        description: `Gets how far the review of open sessions is. It begins a minute after a change of the sign-in policy, or after a company begins to
require its own sign-in. It applies the new rules to all open sessions.`,
        parameters: {},
        responses: { 200: [{ summary: 'A review that runs', value: exampleOf(SessionReview) }] },
      })),
  }),
}
