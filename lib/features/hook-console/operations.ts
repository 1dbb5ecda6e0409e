import * as z from 'zod/mini'
import { adminBySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { Hook, HookChange, HookTrial, HookTrialResult } from './models.ts'

const parameters =
  docs && ({ name: { description: 'The name of the hook.', example: 'beforeToken' } } as const)

export const hooks = {
  listHooks: defineOperation({
    id: 'list_hooks',
    group: 'hooks',
    method: 'GET',
    path: '/api/2/hooks',
    access: adminBySession,
    summary: 'List the hooks',
    responses: { 200: docs && z.array(Hook) },
    text:
      docs &&
      describe(() => ({
        description: `Lists all hooks with their settings, who turned them off, their last failures, and how long the last calls took.
Failures and times come from the audit log: a sign-in writes its event anyway.`,
        parameters: {},
        responses: { 200: [{ summary: 'One hook', value: [exampleOf(Hook)] }] },
      })),
  }),
  changeHook: defineOperation({
    id: 'change_hook',
    group: 'hooks',
    method: 'PATCH',
    path: '/api/2/hooks/{name}',
    access: adminBySession,
    recentAuthentication: true,
    summary: 'Turn a hook off or on',
    body: HookChange,
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['hook.turned_off', 'hook.turned_on'],
    text:
      docs &&
      describe(() => ({
        description: `Turns a hook off, or on again. It takes effect with the next request. While it is off, its function is not called:
\`afterSignIn\` lets everybody in who proved what Latchkey needs, \`beforeToken\` adds no claims, and \`beforeSignUp\` accepts.

A hook whose settings have \`enabled: false\` is a 409: change its settings instead.`,
        parameters,
        request: [{ summary: 'Turn it off', value: exampleOf(HookChange) }],
      })),
  }),
  tryHook: defineOperation({
    id: 'try_hook',
    group: 'hooks',
    method: 'POST',
    path: '/api/2/hooks/{name}/try',
    access: adminBySession,
    summary: 'Call a hook for a test',
    body: HookTrial,
    responses: { 200: docs && HookTrialResult },
    errors: ['not_found', 'conflict', 'too_many_requests'],
    audit: ['hook.tried'],
    limits: ['hookTrials'],
    text:
      docs &&
      describe(() => ({
        description: `Calls the function of a hook for a person, and returns what would happen. Nothing is changed: nobody signs in, no
token is issued, and a failure does not count. The input has \`is_test: true\`, so that the function knows. It is also called if the hook
was turned off.

\`afterSignIn\` gets a sign-in with a password from the address of the caller. \`beforeToken\` gets the scopes of the client.`,
        parameters,
        request: [{ summary: 'A person', value: exampleOf(HookTrial) }],
        responses: { 200: [{ summary: 'A refusal', value: exampleOf(HookTrialResult) }] },
      })),
  }),
}
