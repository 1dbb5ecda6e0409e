import * as z from 'zod/mini'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { hookMessageLength } from '../../kernel/limits/hook-limits.ts'

/*
 * `hook-schemas.ts` publishes the same as a schema. This file has only kinds of Zod that each function loads at its start anyway: others
 * would be loaded there as well, also without a hook.
 */

const Answer = z.strictObject({
  decision: z.enum(['continue', 'require_second_factor', 'refuse']),
  message: z.optional(z.string().check(z.maxLength(hookMessageLength))),
})

/** Returns undefined for anything but one of the three answers. Only a refusal has a message. */
export const readAfterSignInAnswer = (given: unknown): z.output<typeof Answer> | undefined => {
  const { data } = Answer.safeParse(given)
  if (data?.message === undefined) return data
  return data.decision === 'refuse' && isDisplayText(data.message) ? data : undefined
}
