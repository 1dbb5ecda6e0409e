import * as z from 'zod/mini'
import { attributeValue } from '../../accounts/users/attributes.models.ts'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { hookMessageLength } from '../../kernel/limits/hook-limits.ts'

/*
 * What hooks get, and what they may answer, for `npm run docs`, which publishes both as JSON Schema. Functions do not load this file. An input may get more fields later. An answer has
 * no others.
 */

/** What hooks learn about a person. No password, hash, or credential is in it. */
const person = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  email_verified: z.boolean(),
  language: z.nullable(z.string()),
  external_id: z.nullable(z.string()),
})

const common = { version: z.literal(1), invocation_id: z.string() }

const request = z.object({
  address: z.string(),
  country: z.nullable(z.string()),
  user_agent: z.string(),
})

const organization = z.nullable(
  z.object({ id: z.string(), slug: z.string(), name: z.string(), external_id: z.nullable(z.string()) }),
)

const refusal = z.strictObject({
  decision: z.literal('refuse'),
  message: z.optional(z.string().check(z.maxLength(hookMessageLength), z.refine(isDisplayText))),
})

/** How a person begins an account. */
export const signUpWays = ['email', 'provider', 'company', 'invitation'] as const

export const beforeSignUpInput = z.object({
  ...common,
  hook: z.literal('beforeSignUp'),
  way: z.enum(signUpWays),
  /** What the account would be. It does not exist yet. */
  account: z.object({
    username: z.nullable(z.string()),
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    email_verified: z.boolean(),
    language: z.nullable(z.string()),
    attributes: z.record(z.string(), attributeValue),
  }),
  connection: z.nullable(z.object({ id: z.string(), name: z.string() })),
  organization,
  request,
})

export const beforeSignUpAnswer = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('accept'),
    attributes: z.optional(z.record(z.string(), attributeValue)),
    groups: z.optional(z.array(z.string())),
  }),
  refusal,
])

export const afterSignInInput = z.object({
  ...common,
  hook: z.literal('afterSignIn'),
  user: person,
  sign_in: z.object({
    way: z.string(),
    methods: z.array(z.string()),
    is_factor_remembered: z.boolean(),
  }),
  request,
})

export const afterSignInAnswer = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('continue') }),
  z.strictObject({ decision: z.literal('require_second_factor') }),
  refusal,
])

export const beforeTokenInput = z.object({
  ...common,
  hook: z.literal('beforeToken'),
  user: person,
  client: z.object({ client_id: z.string(), name: z.string() }),
  organization,
  scopes: z.array(z.string()),
  audience: z.nullable(z.string()),
  is_impersonated: z.boolean(),
})

export const beforeTokenAnswer = z.strictObject({ claims: z.record(z.string(), attributeValue) })

/** All of them, by the names in the published file. */
export const hookSchemas = {
  ...{ beforeSignUpInput, beforeSignUpAnswer },
  ...{ afterSignInInput, afterSignInAnswer },
  ...{ beforeTokenInput, beforeTokenAnswer },
}
