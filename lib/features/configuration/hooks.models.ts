import * as z from 'zod/mini'
import { hookGroupsMax } from '../../kernel/limits/hook-limits.ts'
import { addedClaimsMax, userAttributesMax } from '../../kernel/limits/limits.ts'
import { hookFailureRules, hookTimeoutDefaults, hookTimeoutMs } from '../../kernel/settings/hooks.ts'

/* The hooks of local mode. A deployed service has its functions in the option `hooks` of its stack. */

const timeout = z.optional(z.int().check(z.minimum(hookTimeoutMs.min), z.maximum(hookTimeoutMs.max)))
const module = z.string().check(z.minLength(1), z.maxLength(1000))

export const signInHook = z.strictObject({ module, timeout_ms: timeout, enabled: z.optional(z.boolean()) })

export const signUpHook = z.strictObject({
  ...signInHook.def.shape,
  groups: z.optional(z.array(z.string()).check(z.maxLength(hookGroupsMax))),
  attributes: z.optional(z.array(z.string()).check(z.maxLength(userAttributesMax))),
})

export const tokenHook = z.strictObject({
  ...signInHook.def.shape,
  claims: z.array(z.string()).check(z.maxLength(addedClaimsMax)),
  on_failure: z.optional(z.enum(hookFailureRules)),
})

export const localHooks = z.strictObject({
  before_sign_up: z.optional(signUpHook),
  after_sign_in: z.optional(signInHook),
  before_token: z.optional(tokenHook),
})
export type LocalHooks = z.output<typeof localHooks>

const moduleText =
  'A module of JavaScript or TypeScript, by its path from this file. It exports its function as `handler`, as Lambda expects it.'
const enabledText = 'Whether the function is called. Default: `true`.'
const describeTimeout = (name: keyof typeof hookTimeoutDefaults) =>
  `How many milliseconds the function may take. Default: ${hookTimeoutDefaults[name]}.`

export const signUpHookText = docs && {
  description: 'A function that is asked before a person or a provider begins an account.',
  fields: {
    module: moduleText,
    timeout_ms: describeTimeout('beforeSignUp'),
    enabled: enabledText,
    groups:
      'The names of the groups that the function may give. It fails with any other, and with a group that has permissions of the service.',
    attributes: 'The names of the attributes that the function may set. It fails with any other.',
  },
  example: undefined,
}

export const signInHookText = docs && {
  description: 'A function that is asked at the end of each sign-in.',
  fields: { module: moduleText, timeout_ms: describeTimeout('afterSignIn'), enabled: enabledText },
  example: undefined,
}

export const tokenHookText = docs && {
  description: 'A function that adds claims to tokens.',
  fields: {
    module: moduleText,
    timeout_ms: describeTimeout('beforeToken'),
    enabled: enabledText,
    claims: 'The claims that the function may add. It fails with any other.',
    on_failure:
      'Whether clients get tokens without the claims if the function fails, or none. Default: `continue`.',
  },
  example: undefined,
}

export const localHooksText = docs && {
  description: 'Functions of products that local mode asks.',
  fields: {
    before_sign_up: 'Asked before a person or a provider begins an account.',
    after_sign_in: 'Asked at the end of each sign-in.',
    before_token: 'Asked before clients get tokens.',
  },
  example: undefined,
}
