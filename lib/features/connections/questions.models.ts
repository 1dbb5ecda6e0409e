import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { decisionName } from '../../kernel/contract/fields.ts'
import { exampleDecisionName, shownDescription } from '../directory/decision-name.models.ts'

/** The form of the page that asks about an answer of an identity provider. */
export const SignInAnswer = z.object({ answer: z.enum(['yes', 'no']), shown: decisionName })
export type SignInAnswer = z.output<typeof SignInAnswer>

describeModel(SignInAnswer, () => ({
  description: 'The form of the page that asks about an answer of an identity provider.',
  fields: {
    answer:
      '`yes`: the browser continues as the other user, or the accounts are connected. `no`: nothing changes.',
    shown: shownDescription,
  },
  example: { answer: 'yes' as const, shown: exampleDecisionName },
}))
