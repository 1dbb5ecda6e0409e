import * as z from 'zod/mini'
import { anyone, anyoneOrKnown } from '../../../kernel/contract/access.ts'
import { providerAnswerEvents } from '../../../kernel/contract/audit-events.ts'
import { describe } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryBoolean, queryText } from '../../../kernel/contract/query.ts'
import { ToyAnswer } from './models.ts'

const textOf = <Name extends string>(...names: readonly Name[]) =>
  describe(() => ({
    description: 'A step of a sign-in.',
    parameters: Object.fromEntries(
      names.map((name) => [name, { description: 'A value.', example: '5' }]),
    ) as Record<Name, { description: string; example: string }>,
  }))

export const toyFlow = {
  startToySignIn: defineOperation({
    id: 'start_toy_sign_in',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/toy-connections/{id}/start',
    access: anyoneOrKnown,
    summary: 'Start a sign-in',
    query: z.strictObject({
      return_to: z.optional(queryText),
      force_authn: z.optional(queryBoolean),
      link: z.optional(queryBoolean),
      multi_factor: z.optional(queryBoolean),
      test: z.optional(queryBoolean),
    }),
    responses: { 303: null },
    errors: ['not_found', 'not_authenticated', 'permission_denied', 'too_many_requests'],
    isFlowStep: true,
    limits: ['samlStarts'],
    text: textOf('id', 'return_to', 'force_authn', 'link', 'multi_factor', 'test'),
  }),
  receiveToyAnswer: defineOperation({
    id: 'receive_toy_answer',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/toy-connections/{id}/callback',
    access: anyone,
    summary: 'Receive an answer',
    query: ToyAnswer,
    responses: { 303: null },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'conflict',
      'too_many_requests',
    ],
    isFlowStep: true,
    audit: providerAnswerEvents,
    limits: ['refusedAnswers'],
    decidesSignIn: 'connection',
    text: textOf('id', 'state', 'name', 'mac'),
  }),
  returnFromToySignIn: defineOperation({
    id: 'return_from_toy_sign_in',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/toy-connections/{id}/return',
    access: anyoneOrKnown,
    summary: 'End a sign-in',
    query: z.strictObject({ flow: z.optional(queryText) }),
    responses: { 303: null },
    errors: ['not_authenticated', 'too_many_requests'],
    isFlowStep: true,
    audit: ['ticket.created'],
    text: textOf('id', 'flow'),
  }),
}
