import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { withPermission } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { queryBoolean, queryId } from '../../kernel/contract/query.ts'
import { UserSignInWays } from './ways.models.ts'

export const usersSignInWays = {
  getUserSignInWays: defineOperation({
    id: 'get_user_sign_in_ways',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}/sign-in-ways',
    access: withPermission('users:manage'),
    summary: 'List how a user can sign in',
    query: z.strictObject({
      without_passkey: z.optional(queryId),
      without_account: z.optional(queryId),
      without_totp: z.optional(queryBoolean),
    }),
    responses: { 200: docs && UserSignInWays },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists all ways of a user to sign in, each with what keeps it from working under the policy and with the rights of the user. The
parameters leave something out, so that you know before you remove it: users keep their last way themselves, and you can take it from them.`,
        parameters: {
          id: userIdDescription,
          without_passkey: {
            description: 'The ID of a passkey to leave out.',
            example: exampleIds.passkey,
          },
          without_account: {
            description: 'The ID of an account at an identity provider to leave out.',
            example: exampleIds.companyAccount,
          },
          without_totp: { description: 'Whether to leave out the authenticator app.', example: true },
        },
        responses: {
          200: [{ summary: 'A user without a way that works', value: exampleOf(UserSignInWays) }],
        },
      })),
  }),
}
