import * as z from 'zod/mini'
import { adminBySession, withPermission } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { queryIds } from '../../kernel/contract/query.ts'
import { ManagedThing } from './managed.models.ts'

/** What configuration documents manage. See `docs/as-code.md`. */
export const managed = {
  findManaged: defineOperation({
    id: 'find_managed',
    group: 'oidc-clients',
    tag: 'configuration',
    method: 'GET',
    path: '/api/2/system/managed/{kind}',
    access: withPermission('users:view', 'protected-apis:view'),
    summary: 'Find what configuration documents manage',
    query: z.strictObject({ ids: z.optional(queryIds) }),
    responses: { 200: docs && z.array(ManagedThing) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Finds which of some things configuration documents manage. The answer has only those, in the order of their IDs.',
        parameters: {
          kind: { description: 'The kind of the things, or of settings.', example: 'client' },
          ids: {
            description:
              'The IDs of up to 100 things, separated by commas. Leave it out for settings: the answer has those of all products.',
            example: '2,5',
          },
        },
        responses: {
          200: [{ summary: 'A client that a document manages', value: [exampleOf(ManagedThing)] }],
        },
      })),
  }),
  unlockManaged: defineOperation({
    id: 'unlock_managed',
    group: 'oidc-clients',
    tag: 'configuration',
    method: 'POST',
    path: '/api/2/system/managed/{kind}/{key}/unlock',
    access: adminBySession,
    summary: 'Let people change what a configuration document manages',
    responses: { 200: docs && ManagedThing },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
    audit: ['managed.unlocked'],
    text:
      docs &&
      describe(() => ({
        description: `Lets people change one thing that a document manages, for an emergency. It stays with its owner. The next time that the
document is applied, the thing gets what the document says, and is locked again. \`latchkey config diff\` names the administrator
who unlocked it.`,
        parameters: {
          kind: { description: 'The kind of the thing, or of settings.', example: 'client' },
          key: {
            description: 'The key of the thing. The kind for settings, or the name of the product.',
            example: 'web',
          },
        },
        responses: { 200: [{ summary: 'The unlocked thing', value: exampleOf(ManagedThing) }] },
      })),
  }),
}
