import * as z from 'zod/mini'
import { isAttributeValue } from '../../kernel/contract/stored-attributes.ts'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { hookMessageLength } from '../../kernel/limits/hook-limits.ts'

/*
 * `hook-schemas.ts` publishes the same as a schema. This file has only kinds of Zod that each function loads at its start anyway: others
 * would be loaded there as well, also without a hook.
 */

const Answer = z.strictObject({
  decision: z.enum(['accept', 'refuse']),
  message: z.optional(z.string().check(z.maxLength(hookMessageLength))),
  attributes: z.optional(z.unknown()),
  groups: z.optional(z.array(z.string())),
})

/** What an account gets, by names. */
export interface SignUpAcceptance {
  readonly decision: 'accept'
  readonly groups?: readonly string[] | undefined
  readonly attributes?: Readonly<Record<string, AttributeText>> | undefined
}
type AttributeText = string | number | boolean | string[]

interface SignUpRefusal {
  readonly decision: 'refuse'
  readonly message?: string | undefined
}

/** Returns undefined for anything but one of the two answers. Only a refusal has a message, and gives nothing. */
export const readBeforeSignUpAnswer = (given: unknown): SignUpAcceptance | SignUpRefusal | undefined => {
  const { data } = Answer.safeParse(given)
  if (!data) return undefined
  const { decision, message, attributes, groups } = data
  if (decision === 'accept') {
    if (message !== undefined || !isValues(attributes)) return undefined
    return { decision, groups, attributes }
  }
  if (attributes !== undefined || groups !== undefined) return undefined
  return message === undefined || isDisplayText(message) ? { decision, message } : undefined
}

const isValues = (given: unknown): given is SignUpAcceptance['attributes'] =>
  given === undefined ||
  (typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.values(given).every(isAttributeValue))
