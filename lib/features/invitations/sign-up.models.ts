import * as z from 'zod/mini'
import { exampleCredentials, exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import {
  anyText,
  dateTime,
  displayText,
  emailAddress,
  flag,
  id,
  nonEmptyText,
  nullableTextUpTo255,
  text,
  text255,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { signUpLinkLifetimeMs, signUpRequestLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { proof } from '../network-limits/models.ts'

/** The fields of the sign-up policy. */
export const signUpPolicyFields = {
  mode: field(
    z.enum(['off', 'open', 'domains', 'approval']),
    docs &&
      '`off`: no one. `open`: everyone with an email address. `domains`: everyone with an address of `domains`. `approval`: everyone whose request someone who manages users approves.',
    { inEvents: 'value' },
  ),
  domains: field(
    z.optional(z.array(text255).check(z.maxLength(100))),
    docs &&
      'The only domains of addresses, such as `example.com`. Subdomains count as other domains. The sign-up page shows them. `domains` needs at least one, and `open` ignores them. At most 100. Default: empty.',
    { inEvents: 'value' },
  ),
  refused_domains: field(
    z.optional(z.array(text255).check(z.maxLength(2000))),
    docs &&
      'Domains whose addresses get no email, such as those of disposable mailboxes. The sign-up page does not reveal them. At most 2,000. Default: empty.',
    { inEvents: 'value' },
  ),
  approvers: field(
    z.optional(z.array(emailAddress.check(z.maxLength(255))).check(z.maxLength(10))),
    docs && 'Addresses that get an email when someone waits for approval. At most 10. Default: empty.',
  ),
  user_template: field(
    z.optional(z.nullable(id)),
    docs &&
      'The ID of the user template that new users begin with. Null for no permissions and no groups. Neither the template nor its groups may have `system:admin-access` or `users:manage`. Default: null.',
    { inEvents: 'value' },
  ),
  terms_version: field(
    z.optional(z.nullable(displayText(64))),
    docs && {
      description:
        'The version of the terms that new users accept. It is stored with each user. Null for no terms. Default: null.',
      example: '2026-01',
    },
    { inEvents: 'value' },
  ),
  terms_url: field(
    z.optional(z.nullable(text(500))),
    docs && {
      description:
        'The https address of the terms. It needs `terms_version`, and the other way around. Default: null.',
      example: 'https://www.example.com/terms',
    },
    { inEvents: 'value' },
  ),
}

/** Who may create their own account. A document replaces the whole policy. */
export const SignUpPolicy = model(
  signUpPolicyFields,
  docs && {
    description:
      'Who may create their own account. A request replaces the whole policy: an omitted field returns to its default.',
    example: {
      mode: 'domains' as const,
      domains: ['example.com'],
      refused_domains: [],
      approvers: [],
      user_template: exampleIds.userTemplate,
      terms_version: '2026-01',
      terms_url: 'https://www.example.com/terms',
    },
  },
)
export type SignUpPolicy = z.output<typeof SignUpPolicy>

export const SignUpStart = model(
  {
    email: field(
      emailAddress.check(z.maxLength(255)),
      docs && 'The address that gets the email with the link.',
    ),
    proof,
  },
  docs && {
    description: 'The address of someone who wants an account.',
    example: { email: 'grace@example.com' },
  },
)
export type SignUpStart = z.output<typeof SignUpStart>

const tokenDescription =
  docs &&
  `The value from the link in the email, with the prefix \`lku_\`. It works once, for ${describeDuration(signUpLinkLifetimeMs)}.`

export const SignUpToken = model(
  {
    token: field(nonEmptyText, docs && tokenDescription),
  },
  docs && { description: 'The token of a link to sign up.', example: { token: exampleCredentials.signUp } },
)

const needsApprovalDescription = docs && 'Whether someone who manages users has to approve the account.'

export const SignUpOffer = model(
  {
    email: field(anyText, docs && 'The address that the link proves.'),
    needs_approval: field(flag, docs && needsApprovalDescription),
    terms_version: field(
      z.nullable(anyText),
      docs && 'The version of the terms to accept. Null if there are none.',
    ),
    terms_url: field(z.nullable(anyText), docs && 'The address of the terms. Null if there are none.'),
    expires_at: field(dateTime, docs && 'When the link stops working: ISO 8601, UTC.'),
  },
  docs && {
    description: 'What the holder of a link to sign up sees before they create their account.',
    example: {
      email: 'grace@example.com',
      needs_approval: false,
      terms_version: '2026-01',
      terms_url: 'https://www.example.com/terms',
      expires_at: exampleTimes.end,
    },
  },
)

export const SignUpCompletion = model(
  {
    token: field(nonEmptyText, docs && tokenDescription),
    full_name: field(displayText(255), docs && 'The full name of the new user.'),
    terms_version: field(
      z.optional(nullableTextUpTo255),
      docs &&
        'The version of the terms that the person accepted. Required if the policy has terms: it must be their current version.',
    ),
  },
  docs && {
    description: 'The name of a new user, and the terms that they accept.',
    example: { token: exampleCredentials.signUp, full_name: 'Grace Hopper', terms_version: '2026-01' },
  },
)

export const SignUpResult = model(
  {
    invitation_token: field(
      z.nullable(nonEmptyText),
      docs &&
        'The token with which the person chooses how to sign in, with `accept_invitation` or `accept_invitation_with_passkey`. Null if the account waits for approval.',
    ),
  },
  docs && {
    description: 'What follows a sign-up.',
    example: { invitation_token: exampleCredentials.invitation },
  },
)

/** The ID of a request that waits. */
export const exampleSignUpRequestId = docs && 'ThisIsAnExampleRequest'

export const SignUpRequest = model(
  {
    id: field(nonEmptyText, docs && 'The ID of the request.'),
    email: field(anyText, docs && 'The verified address.'),
    full_name: field(anyText, docs && 'The name that the person entered.'),
    requested_at: field(dateTime, docs && 'When the person asked: ISO 8601, UTC.'),
    expires_at: field(
      dateTime,
      docs &&
        `When the request is deleted without a decision: ISO 8601, UTC. That is ${describeDuration(signUpRequestLifetimeMs)} later.`,
    ),
  },
  docs && {
    description: 'Someone with a verified address who waits for approval.',
    example: {
      id: exampleSignUpRequestId,
      email: 'grace@example.com',
      full_name: 'Grace Hopper',
      requested_at: exampleTimes.created,
      expires_at: exampleTimes.end,
    },
  },
)
export type SignUpRequest = z.output<typeof SignUpRequest>
