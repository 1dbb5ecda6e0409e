import * as z from 'zod/mini'
import {
  exampleCode,
  exampleCredentials,
  exampleNewPassword,
  examplePassword,
} from '../../accounts/example-values.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import { newPasswordRule, oneTimeCode } from '../../kernel/contract/descriptions/common-texts.ts'
import { flag, integer, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { resetTokenLifetimeMs } from '../../kernel/limits/limits.ts'
import {
  expressionLength,
  guessesPerSecond,
  policyEntropyBits,
  policyLength,
  ruleMatches,
  ruleNameLength,
} from '../../kernel/limits/password-limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { proofDescription, proofText } from '../network-limits/models.ts'

const exampleRule = docs && { group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }

const expressionFormDescription =
  docs &&
  `An expression in RE2 syntax of at most ${expressionLength} characters. It matches anywhere unless it is anchored.`

/** At least `min_count` characters must match `group_regex`. Messages refer to them as `group_name`. */
export const PasswordPolicyRule = model(
  {
    group_name: field(
      nonEmptyText,
      docs && `What messages call the group, at most ${ruleNameLength} characters, such as \`a digit\`.`,
    ),
    group_regex: field(
      nonEmptyText,
      docs && `What belongs to the group. ${expressionFormDescription} Each match counts once.`,
    ),
    min_count: field(integer, docs && `How many matches a password must have: 0 to ${ruleMatches}.`),
  },
  docs && {
    description: 'A group of characters of which a password must have a number.',
    example: exampleRule,
  },
)
export type PasswordPolicyRule = z.output<typeof PasswordPolicyRule>

const maybeInteger = z.optional(z.nullable(integer))

/** The fields of the password policy. */
export const passwordPolicyFields = {
  // Every rule has an expression to compile, and every signed-in user can send a policy.
  rules: field(
    z.optional(z.array(PasswordPolicyRule).check(z.maxLength(100))),
    docs &&
      `Groups of characters that passwords must contain, at most 100. Their \`min_count\` must not exceed ${policyLength} in total.`,
    { inEvents: 'value' },
  ),
  min_length: field(
    maybeInteger,
    docs &&
      `The least number of characters: 0 to ${policyLength}. Null for no requirement. A new service has 12.`,
    { inEvents: 'value' },
  ),
  min_entropy_bits: field(
    maybeInteger,
    docs && `The least estimated randomness in bits: 0 to ${policyEntropyBits}. Null for no requirement.`,
    { inEvents: 'value' },
  ),
  regex: field(
    z.optional(z.nullable(nonEmptyText)),
    docs && `What the whole password must match, or null. ${expressionFormDescription}`,
    { inEvents: 'value' },
  ),
  no_pwned: field(
    z.optional(z.nullable(flag)),
    docs &&
      'Whether to reject common passwords and those from known breaches. The lookup of breaches sends five hex digits of a hash. Null counts as `false`. A new service has `true`.',
    { inEvents: 'value' },
  ),
}

export const PasswordPolicy = model(
  passwordPolicyFields,
  docs && {
    description:
      'What new passwords must meet. It replaces the whole policy: an omitted field requires nothing. Existing passwords keep working. Every password also has 8 to 1,024 characters and contains no name of its user.',
    example: { rules: [exampleRule], min_length: 14, min_entropy_bits: null, regex: null, no_pwned: true },
  },
)
export type PasswordPolicy = z.output<typeof PasswordPolicy>

export const EvaluatePasswordEndpointRequest = model(
  {
    password: field(nonEmptyText, docs && 'The password to check.'),
    custom_policy: field(
      z.optional(PasswordPolicy),
      docs &&
        'A policy to check the password with. Omit it to use the policy of the service, which also knows the names and the second factor of the caller.',
    ),
  },
  docs && {
    description: 'A password to check before it is set. Nothing is stored.',
    example: { password: exampleNewPassword },
  },
)
export type EvaluatePasswordEndpointRequest = z.output<typeof EvaluatePasswordEndpointRequest>

export const EvaluatePasswordEndpointResponse = model(
  {
    errors: field(
      texts,
      docs && 'A sentence for each requirement that the password does not meet. Empty for a good password.',
    ),
    time_to_crack: field(
      z.number(),
      docs &&
        `The estimated time to guess the password, in seconds, at ${guessesPerSecond.toLocaleString('en-US')} guesses per second. It can have a fraction.`,
    ),
    username: field(
      z.optional(nonEmptyText),
      docs && 'The username of the caller. Omitted with `custom_policy`.',
    ),
    policy: field(
      z.optional(PasswordPolicy),
      docs &&
        'What passwords of the caller must meet. It can require more characters than the policy of the service, of users without a second factor. Omitted with `custom_policy`.',
    ),
  },
  docs && {
    description: 'What a password does not meet, and how long guessing it takes.',
    example: { errors: ['The password must have at least 14 characters.'], time_to_crack: 31_536_000 },
  },
)
export type EvaluatePasswordEndpointResponse = z.output<typeof EvaluatePasswordEndpointResponse>

export const GeneratePasswordEndpointResponse = model(
  {
    password: field(
      nonEmptyText,
      docs &&
        'The password, with at least 20 characters. It is not stored and not set. Show it to the user only.',
    ),
  },
  docs && {
    description: 'A random password that meets the password policy.',
    example: { password: 'ExampleOnly-7fQ2-mV9x' },
  },
)
export type GeneratePasswordEndpointResponse = z.output<typeof GeneratePasswordEndpointResponse>

export const ChangeOwnPasswordRequest = model(
  {
    password: field(nonEmptyText, docs && `The new password. ${newPasswordRule}`),
    current_password: field(
      nonEmptyText,
      docs && 'The current password. Wrong ones are limited like wrong passwords at the sign-in.',
    ),
    current_otp: field(z.optional(z.nullable(nonEmptyText)), docs && oneTimeCode),
  },
  docs && {
    description: 'A new password for the own account. All other sessions of the user end.',
    example: {
      password: exampleNewPassword,
      current_password: examplePassword,
      current_otp: exampleCode,
    },
  },
)
export type ChangeOwnPasswordRequest = z.output<typeof ChangeOwnPasswordRequest>

export const ChangePasswordRequest = model(
  {
    password: field(
      nonEmptyText,
      docs &&
        `The new password. ${newPasswordRule} Prefer to send a reset link, so that only the user knows the password.`,
    ),
    password_change_required: field(
      z.optional(flag),
      docs &&
        'Whether the user must choose another password at the next sign-in. Omitted, the setting of the user stays as it is.',
    ),
  },
  docs && {
    description: 'A password that a user manager sets for another user. All sessions of the user end.',
    example: { password: exampleNewPassword, password_change_required: true },
  },
)
export type ChangePasswordRequest = z.output<typeof ChangePasswordRequest>

export const PasswordResetEndpointRequest = model(
  {
    token: field(
      nonEmptyText,
      docs &&
        `The value from the link in the email, with the prefix \`lkr_\`. It works once, for ${describeDuration(resetTokenLifetimeMs)}. A newer link ends it. A rejected password does not use it up.`,
    ),
    password: field(
      nonEmptyText,
      docs &&
        `The new password. ${newPasswordRule} All sessions of the user end. The second factor stays on.`,
    ),
    end_api_tokens: field(
      z.optional(flag),
      docs && 'Whether all API tokens of the user end, too. Default: `false`.',
    ),
  },
  docs && {
    description: 'A new password, with the proof that the user got the email about it.',
    example: { token: exampleCredentials.resetToken, password: exampleNewPassword, end_api_tokens: true },
  },
)
export type PasswordResetEndpointRequest = z.output<typeof PasswordResetEndpointRequest>

/** The account that gets a reset link, by username or by email address. */
export const RequestPasswordResetRequest = z
  .strictObject({ username: z.optional(nonEmptyText), email: z.optional(nonEmptyText), proof: proofText })
  .check(
    z.refine(
      ({ username, email }) => (username === undefined) !== (email === undefined),
      'must contain either `username` or `email`',
    ),
  )
export type RequestPasswordResetRequest = z.output<typeof RequestPasswordResetRequest>

if (docs)
  describeModel(RequestPasswordResetRequest, () => ({
    description:
      'The account that gets an email with a reset link. Either `username` or `email` is required.',
    fields: {
      username: 'The username of the account, without regard to case.',
      email: 'The verified email address of the account, without regard to case.',
      proof: proofDescription,
    },
    example: { email: 'ada@example.com' },
  }))
