import * as z from 'zod/mini'
import { exampleDecisionName, shownDescription } from '../../kernel/contract/descriptions/decision-name.ts'
import { anyText, decisionName } from '../../kernel/contract/fields.ts'
import { field, openModel } from '../../kernel/contract/model.ts'

/** The form of the page that asks about an answer of an identity provider. */
export const SignInAnswer = openModel(
  {
    answer: field(
      z.enum(['yes', 'no']),
      docs &&
        '`yes`: the browser continues as the other user, the accounts are connected, an account is created, or the code is checked. `no`: nothing changes.',
    ),
    shown: field(decisionName, docs && shownDescription),
    terms: field(
      z.optional(anyText.check(z.maxLength(64))),
      docs &&
        'The version of the terms that the person accepts, on the page that asks whether to create an account. Required if the sign-up policy has terms.',
    ),
    otp: field(
      z.optional(anyText.check(z.maxLength(100))),
      docs && 'A code of the authenticator app, or a recovery code, on the page that asks for it.',
    ),
  },
  docs && {
    description: 'The form of the page that asks about an answer of an identity provider.',
    example: { answer: 'yes' as const, shown: exampleDecisionName },
  },
)
export type SignInAnswer = z.output<typeof SignInAnswer>
