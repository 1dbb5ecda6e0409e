import * as z from 'zod/mini'
import { adminBySession, adminWithScope } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { ToyConnection, ToyConnectionCreate } from './models.ts'

export const toyConnections = {
  listToyConnections: defineOperation({
    id: 'list_toy_connections',
    group: 'connections',
    method: 'GET',
    path: '/api/2/auth/toy-connections',
    access: adminWithScope('saml-providers:manage'),
    summary: 'List toy connections',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: z.array(ToyConnection) },
    text: describe(() => ({
      description: 'Lists toy connections.',
      parameters: {},
      responses: { 200: [{ summary: 'Toy connections', value: [exampleOf(ToyConnection)] }] },
    })),
  }),
  createToyConnection: defineOperation({
    id: 'create_toy_connection',
    group: 'connections',
    method: 'POST',
    path: '/api/2/auth/toy-connections',
    access: adminBySession,
    summary: 'Create a toy connection',
    body: ToyConnectionCreate,
    responses: { 201: ToyConnection },
    errors: ['conflict'],
    audit: ['oidc_connection.created'],
    text: describe(() => ({
      description: 'Creates a toy connection.',
      parameters: {},
      request: [{ summary: 'A toy connection', value: exampleOf(ToyConnectionCreate) }],
      responses: { 201: [{ summary: 'The new connection', value: exampleOf(ToyConnection) }] },
    })),
  }),
  deleteToyConnection: defineOperation({
    id: 'delete_toy_connection',
    group: 'connections',
    method: 'DELETE',
    path: '/api/2/auth/toy-connections/{id}',
    access: adminBySession,
    summary: 'Delete a toy connection',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['session.ended', 'oidc_connection.deleted'],
    text: describe(() => ({
      description: 'Deletes a toy connection.',
      parameters: { id: { description: 'Its ID.', example: 5 } },
    })),
  }),
}
