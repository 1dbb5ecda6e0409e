import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { newPasswordRule, oneTimeCode } from '../../kernel/contract/descriptions/common-texts.ts'
import { flag, integer, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
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
import {
  exampleCode,
  exampleCredentials,
  exampleNewPassword,
  examplePassword,
} from '../example-values.models.ts'

/** At least `min_count` characters must match `group_regex`. Messages refer to them as `group_name`. */
export const PasswordPolicyRule = z.strictObject({
  group_name: nonEmptyText,
  group_regex: nonEmptyText,
  min_count: integer,
})
export type PasswordPolicyRule = z.output<typeof PasswordPolicyRule>

const exampleRule = { group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }

const expressionFormDescription = `An expression in RE2 syntax of at most ${expressionLength} characters. It matches anywhere unless it is anchored.`

describeModel(PasswordPolicyRule, () => ({
  description: 'A group of characters of which a password must have a number.',
  fields: {
    group_name: `What messages call the group, at most ${ruleNameLength} characters, such as \`a digit\`.`,
    group_regex: `What belongs to the group. ${expressionFormDescription} Each match counts once.`,
    min_count: `How many matches a password must have: 0 to ${ruleMatches}.`,
  },
  example: exampleRule,
}))

const maybeInteger = z.optional(z.nullable(integer))

export const PasswordPolicy = z.strictObject({
  // Every rule has an expression to compile, and every signed-in user can send a policy.
  rules: z.optional(z.array(PasswordPolicyRule).check(z.maxLength(100))),
  min_length: maybeInteger,
  min_entropy_bits: maybeInteger,
  regex: z.optional(z.nullable(nonEmptyText)),
  no_pwned: z.optional(z.nullable(flag)),
})
export type PasswordPolicy = z.output<typeof PasswordPolicy>

describeModel(PasswordPolicy, () => ({
  description:
    'What new passwords must meet. It replaces the whole policy: an omitted field requires nothing. Existing passwords keep working. Every password also has 8 to 1,024 characters and contains no name of its user.',
  fields: {
    rules: `Groups of characters that passwords must contain, at most 100. Their \`min_count\` must not exceed ${policyLength} in total.`,
    min_length: `The least number of characters: 0 to ${policyLength}. Null for no requirement. A new service has 12.`,
    min_entropy_bits: `The least estimated randomness in bits: 0 to ${policyEntropyBits}. Null for no requirement.`,
    regex: `What the whole password must match, or null. ${expressionFormDescription}`,
    no_pwned:
      'Whether to reject common passwords and those from known breaches. The lookup of breaches sends five hex digits of a hash. Null counts as `false`. A new service has `true`.',
  },
  example: { rules: [exampleRule], min_length: 14, min_entropy_bits: null, regex: null, no_pwned: true },
}))

export const EvaluatePasswordEndpointRequest = z.strictObject({
  password: nonEmptyText,
  custom_policy: z.optional(PasswordPolicy),
})
export type EvaluatePasswordEndpointRequest = z.output<typeof EvaluatePasswordEndpointRequest>

describeModel(EvaluatePasswordEndpointRequest, () => ({
  description: 'A password to check before it is set. Nothing is stored.',
  fields: {
    password: 'The password to check.',
    custom_policy:
      'A policy to check the password with. Omit it to use the policy of the service, which also knows the names and the second factor of the caller.',
  },
  example: { password: exampleNewPassword },
}))

export const EvaluatePasswordEndpointResponse = z.strictObject({
  errors: texts,
  time_to_crack: z.number(),
  username: z.optional(nonEmptyText),
  policy: z.optional(PasswordPolicy),
})
export type EvaluatePasswordEndpointResponse = z.output<typeof EvaluatePasswordEndpointResponse>

describeModel(EvaluatePasswordEndpointResponse, () => ({
  description: 'What a password does not meet, and how long guessing it takes.',
  fields: {
    errors: 'A sentence for each requirement that the password does not meet. Empty for a good password.',
    time_to_crack: `The estimated time to guess the password, in seconds, at ${guessesPerSecond.toLocaleString('en-US')} guesses per second. It can have a fraction.`,
    username: 'The username of the caller. Omitted with `custom_policy`.',
    policy:
      'What passwords of the caller must meet. It can require more characters than the policy of the service, of users without a second factor. Omitted with `custom_policy`.',
  },
  example: { errors: ['The password must have at least 14 characters.'], time_to_crack: 31_536_000 },
}))

export const GeneratePasswordEndpointResponse = z.strictObject({ password: nonEmptyText })
export type GeneratePasswordEndpointResponse = z.output<typeof GeneratePasswordEndpointResponse>

describeModel(GeneratePasswordEndpointResponse, () => ({
  description: 'A random password that meets the password policy.',
  fields: {
    password:
      'The password, with at least 20 characters. It is not stored and not set. Show it to the user only.',
  },
  example: { password: 'ExampleOnly-7fQ2-mV9x' },
}))

export const ChangeOwnPasswordRequest = z.strictObject({
  password: nonEmptyText,
  current_password: nonEmptyText,
  current_otp: z.optional(z.nullable(nonEmptyText)),
})
export type ChangeOwnPasswordRequest = z.output<typeof ChangeOwnPasswordRequest>

describeModel(ChangeOwnPasswordRequest, () => ({
  description: 'A new password for the own account. All other sessions of the user end.',
  fields: {
    password: `The new password. ${newPasswordRule}`,
    current_password: 'The current password. Wrong ones are limited like wrong passwords at the sign-in.',
    current_otp: oneTimeCode,
  },
  example: {
    password: exampleNewPassword,
    current_password: examplePassword,
    current_otp: exampleCode,
  },
}))

export const ChangePasswordRequest = z.strictObject({
  password: nonEmptyText,
  password_change_required: z.optional(flag),
})
export type ChangePasswordRequest = z.output<typeof ChangePasswordRequest>

describeModel(ChangePasswordRequest, () => ({
  description: 'A password that a user manager sets for another user. All sessions of the user end.',
  fields: {
    password: `The new password. ${newPasswordRule} Prefer to send a reset link, so that only the user knows the password.`,
    password_change_required:
      'Whether the user must choose another password at the next sign-in. Omitted, the setting of the user stays as it is.',
  },
  example: { password: exampleNewPassword, password_change_required: true },
}))

export const PasswordResetEndpointRequest = z.strictObject({
  token: nonEmptyText,
  password: nonEmptyText,
  end_api_tokens: z.optional(flag),
})
export type PasswordResetEndpointRequest = z.output<typeof PasswordResetEndpointRequest>

describeModel(PasswordResetEndpointRequest, () => ({
  description: 'A new password, with the proof that the user got the email about it.',
  fields: {
    token: `The value from the link in the email, with the prefix \`lkr_\`. It works once, for ${describeDuration(resetTokenLifetimeMs)}. A newer link ends it. A rejected password does not use it up.`,
    password: `The new password. ${newPasswordRule} All sessions of the user end. The second factor stays on.`,
    end_api_tokens: 'Whether all API tokens of the user end, too. Default: `false`.',
  },
  example: { token: exampleCredentials.resetToken, password: exampleNewPassword, end_api_tokens: true },
}))

/** The account that gets a reset link, by username or by email address. */
export const RequestPasswordResetRequest = z
  .strictObject({ username: z.optional(nonEmptyText), email: z.optional(nonEmptyText) })
  .check(
    z.refine(
      ({ username, email }) => (username === undefined) !== (email === undefined),
      'must contain either `username` or `email`',
    ),
  )
export type RequestPasswordResetRequest = z.output<typeof RequestPasswordResetRequest>

describeModel(RequestPasswordResetRequest, () => ({
  description: 'The account that gets an email with a reset link. Exactly one of the two fields is required.',
  fields: {
    username: 'The username of the account, without regard to case.',
    email: 'The verified email address of the account, without regard to case.',
  },
  example: { email: 'ada@example.com' },
}))
