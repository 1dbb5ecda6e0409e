import { withPermission } from '../../access.ts'
import { describe, exampleOf } from '../../describe.ts'
import { Totals } from '../../models/overview.ts'
import { defineOperation } from '../../operation.ts'

/** How long the lists of the directory are. */
export const usersTotals = {
  getTotals: defineOperation({
    id: 'get_totals',
    group: 'users',
    method: 'GET',
    path: '/api/2/totals',
    access: withPermission('users:view'),
    summary: 'Get the number of users and groups',
    responses: { 200: Totals },
    text: describe(() => ({
      description: `Gets how many users and groups there are. The numbers are exact: the write that creates or deletes a user or a group counts
it. It takes one call to the table for any number of users.`,
      parameters: {},
      responses: { 200: [{ summary: 'A small directory', value: exampleOf(Totals) }] },
    })),
  }),
}
