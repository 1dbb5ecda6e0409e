import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
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
import { signUpLinkLifetimeMs, signUpRequestLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { exampleCredentials, exampleIds, exampleTimes } from '../example-values.models.ts'

/** Who may create their own account. A document replaces the whole policy. */
export const SignUpPolicy = z.strictObject({
  mode: z.enum(['off', 'open', 'domains', 'approval']),
  domains: z.optional(z.array(text255).check(z.maxLength(100))),
  refused_domains: z.optional(z.array(text255).check(z.maxLength(2000))),
  approvers: z.optional(z.array(emailAddress.check(z.maxLength(255))).check(z.maxLength(10))),
  user_template: z.optional(z.nullable(id)),
  terms_version: z.optional(z.nullable(displayText(64))),
  terms_url: z.optional(z.nullable(text(500))),
})
export type SignUpPolicy = z.output<typeof SignUpPolicy>

describeModel(SignUpPolicy, () => ({
  description:
    'Who may create their own account. A request replaces the whole policy: an omitted field returns to its default.',
  fields: {
    mode: '`off`: no one. `open`: everyone with an email address. `domains`: everyone with an address of `domains`. `approval`: everyone whose request someone who manages users approves.',
    domains:
      'The only domains of addresses, such as `example.com`. Subdomains count as other domains. The sign-up page shows them. `domains` needs at least one, and `open` ignores them. At most 100. Default: empty.',
    refused_domains:
      'Domains whose addresses get no email, such as those of disposable mailboxes. The sign-up page does not reveal them. At most 2,000. Default: empty.',
    approvers: 'Addresses that get an email when someone waits for approval. At most 10. Default: empty.',
    user_template:
      'The ID of the user template that new users begin with. Null for no permissions and no groups. Neither the template nor its groups may have `system:admin-access` or `users:manage`. Default: null.',
    terms_version: {
      description:
        'The version of the terms that new users accept. It is stored with each user. Null for no terms. Default: null.',
      example: '2026-01',
    },
    terms_url: {
      description:
        'The https address of the terms. It needs `terms_version`, and the other way around. Default: null.',
      example: 'https://www.example.com/terms',
    },
  },
  example: {
    mode: 'domains' as const,
    domains: ['example.com'],
    refused_domains: [],
    approvers: [],
    user_template: exampleIds.userTemplate,
    terms_version: '2026-01',
    terms_url: 'https://www.example.com/terms',
  },
}))

export const SignUpStart = z.strictObject({ email: emailAddress.check(z.maxLength(255)) })
export type SignUpStart = z.output<typeof SignUpStart>

describeModel(SignUpStart, () => ({
  description: 'The address of someone who wants an account.',
  fields: { email: 'The address that gets the email with the link.' },
  example: { email: 'grace@example.com' },
}))

export const SignUpToken = z.strictObject({ token: nonEmptyText })

const tokenDescription = `The value from the link in the email, with the prefix \`lku_\`. It works once, for ${describeDuration(signUpLinkLifetimeMs)}.`

describeModel(SignUpToken, () => ({
  description: 'The token of a link to sign up.',
  fields: { token: tokenDescription },
  example: { token: exampleCredentials.signUp },
}))

export const SignUpOffer = z.strictObject({
  email: anyText,
  needs_approval: flag,
  terms_version: z.nullable(anyText),
  terms_url: z.nullable(anyText),
  expires_at: dateTime,
})

const needsApprovalDescription = 'Whether someone who manages users has to approve the account.'

describeModel(SignUpOffer, () => ({
  description: 'What the holder of a link to sign up sees before they create their account.',
  fields: {
    email: 'The address that the link proves.',
    needs_approval: needsApprovalDescription,
    terms_version: 'The version of the terms to accept. Null if there are none.',
    terms_url: 'The address of the terms. Null if there are none.',
    expires_at: 'When the link stops working: ISO 8601, UTC.',
  },
  example: {
    email: 'grace@example.com',
    needs_approval: false,
    terms_version: '2026-01',
    terms_url: 'https://www.example.com/terms',
    expires_at: exampleTimes.end,
  },
}))

export const SignUpCompletion = z.strictObject({
  token: nonEmptyText,
  full_name: displayText(255),
  terms_version: z.optional(nullableTextUpTo255),
})

describeModel(SignUpCompletion, () => ({
  description: 'The name of a new user, and the terms that they accept.',
  fields: {
    token: tokenDescription,
    full_name: 'The full name of the new user.',
    terms_version:
      'The version of the terms that the person accepted. Required if the policy has terms: it must be their current version.',
  },
  example: { token: exampleCredentials.signUp, full_name: 'Grace Hopper', terms_version: '2026-01' },
}))

export const SignUpResult = z.strictObject({ invitation_token: z.nullable(nonEmptyText) })

describeModel(SignUpResult, () => ({
  description: 'What follows a sign-up.',
  fields: {
    invitation_token:
      'The token with which the person chooses how to sign in, with `accept_invitation` or `accept_invitation_with_passkey`. Null if the account waits for approval.',
  },
  example: { invitation_token: exampleCredentials.invitation },
}))

export const SignUpRequest = z.strictObject({
  id: nonEmptyText,
  email: anyText,
  full_name: anyText,
  requested_at: dateTime,
  expires_at: dateTime,
})
export type SignUpRequest = z.output<typeof SignUpRequest>

/** The ID of a request that waits. */
export const exampleSignUpRequestId = 'ThisIsAnExampleRequest'

describeModel(SignUpRequest, () => ({
  description: 'Someone with a verified address who waits for approval.',
  fields: {
    id: 'The ID of the request.',
    email: 'The verified address.',
    full_name: 'The name that the person entered.',
    requested_at: 'When the person asked: ISO 8601, UTC.',
    expires_at: `When the request is deleted without a decision: ISO 8601, UTC. That is ${describeDuration(signUpRequestLifetimeMs)} later.`,
  },
  example: {
    id: exampleSignUpRequestId,
    email: 'grace@example.com',
    full_name: 'Grace Hopper',
    requested_at: exampleTimes.created,
    expires_at: exampleTimes.end,
  },
}))
