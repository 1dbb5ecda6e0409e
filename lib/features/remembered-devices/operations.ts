import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { bySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ordering, paging } from '../../kernel/contract/query.ts'
import { rememberedDevicesPerUser } from '../../kernel/limits/limits.ts'
import { RememberedDevice } from './models.ts'

const listQuery = z.strictObject({ ...paging, ordering: ordering(['id', 'created_at']) })

export const rememberedDevices = {
  getRememberedDevices: defineOperation({
    id: 'get_remembered_devices',
    group: 'sessions',
    method: 'GET',
    path: '/api/2/users/{id}/remembered-devices',
    access: bySession,
    summary: 'List the remembered devices of a user',
    query: listQuery,
    responses: { 200: docs && z.array(RememberedDevice) },
    errors: ['not_found'],
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Lists the browsers in which sign-ins of a user do without the second factor. Users see their own. Callers with the
permission \`users:manage\` see those of users whose permissions they hold themselves. A user has at most ${rememberedDevicesPerUser}.`,
        parameters: { id: userIdDescription },
        responses: {
          200: [{ summary: 'The browser of the request', value: [exampleOf(RememberedDevice)] }],
        },
      })),
  }),
  endRememberedDevice: defineOperation({
    id: 'end_remembered_device',
    group: 'sessions',
    method: 'DELETE',
    path: '/api/2/users/{id}/remembered-devices/{device_id}',
    access: bySession,
    summary: 'Ask for the second factor again in a remembered browser',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['remembered_device.ended'],
    text:
      docs &&
      describe(() => ({
        description: `Ends a remembered device of a user: the next sign-in there needs the second factor. Sessions go on. Users end their own.
Callers with the permission \`users:manage\` end those of users whose permissions they hold themselves.`,
        parameters: {
          id: userIdDescription,
          device_id: {
            description: 'The ID of the device, from `get_remembered_devices`.',
            example: exampleIds.rememberedDevice,
          },
        },
      })),
  }),
}
