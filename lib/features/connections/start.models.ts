import * as z from 'zod/mini'
import { queryBoolean, queryText } from '../../kernel/contract/query.ts'
import { proofDescription, proofText } from '../network-limits/models.ts'

/** What the start of a sign-in takes, over every protocol. */
export const startQuery = z.strictObject({
  return_to: z.optional(queryText),
  force_authn: z.optional(queryBoolean),
  link: z.optional(queryBoolean),
  multi_factor: z.optional(queryBoolean),
  test: z.optional(queryBoolean),
  prove: z.optional(queryBoolean),
  proof: proofText,
})
export type StartQuery = z.output<typeof startQuery>

/** The parameters that mean the same over every protocol. */
export const startParameters = docs && {
  return_to: {
    description:
      'Where the browser goes after the sign-in: a path of the service such as `/`, or the URL of a page of an allowed origin. Without it, the start page of the user.',
    example: '/',
  },
  link: {
    description:
      'With `true`, links the account at the provider to the current user instead of signing in. It needs a session with a recent sign-in, and a link on a page of the service.',
    example: 'true',
  },
  multi_factor: {
    description:
      'With `true`, the identity provider is asked for a way of signing in of `multi_factor_authn_contexts`. The sign-in page sends it when a product asks for two factors.',
    example: 'true',
  },
  prove: {
    description:
      'With `true`, the sign-in needs a proof of work, which then also admits a first sign-in. The service adds it when a network is above its limit, and its sign-in page makes the proof.',
    example: 'false',
  },
  proof: {
    description: proofDescription,
    example: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e30sInNpZ25hdHVyZSI6IiJ9LCJzb2x1dGlvbiI6e319',
  },
}

/** The parameter that the service adds to the redirect at the end of a sign-in. */
export const returnParameter = docs && {
  description: 'The sign-in that ends. The service adds it to the redirect.',
  example: 'ThisIsAnExampleFlow',
}
