import * as z from 'zod/mini'
import { flag, integer, nonEmptyText, texts } from './fields.ts'

/** At least `min_count` characters must match `group_regex`. Messages refer to them as `group_name`. */
export const PasswordPolicyRule = z.strictObject({
  group_name: nonEmptyText,
  group_regex: nonEmptyText,
  min_count: integer,
})
export type PasswordPolicyRule = z.output<typeof PasswordPolicyRule>

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

export const EvaluatePasswordEndpointRequest = z.strictObject({
  password: nonEmptyText,
  custom_policy: z.optional(PasswordPolicy),
})
export type EvaluatePasswordEndpointRequest = z.output<typeof EvaluatePasswordEndpointRequest>

export const EvaluatePasswordEndpointResponse = z.strictObject({
  errors: texts,
  /** Seconds. */
  time_to_crack: z.number(),
  /** The caller, who may have only a reset token. Omitted with a custom policy, as is `policy`. */
  username: z.optional(nonEmptyText),
  /** What passwords of this caller must meet. */
  policy: z.optional(PasswordPolicy),
})
export type EvaluatePasswordEndpointResponse = z.output<typeof EvaluatePasswordEndpointResponse>

export const GeneratePasswordEndpointResponse = z.strictObject({ password: nonEmptyText })
export type GeneratePasswordEndpointResponse = z.output<typeof GeneratePasswordEndpointResponse>
