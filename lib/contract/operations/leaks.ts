import { anyone } from '../access.ts'
import { leakReport } from '../models/leaks.ts'
import { defineOperation } from '../operation.ts'

export const leaks = {
  reportLeakedCredentials: defineOperation({
    id: 'report_leaked_credentials',
    group: 'leaks',
    method: 'POST',
    path: '/api/2/auth/leaked',
    access: anyone,
    summary: 'End leaked credentials and inform their owners',
    body: leakReport,
    responses: { 204: null },
    errors: ['too_many_requests'],
  }),
}
