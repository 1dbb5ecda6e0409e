import * as z from 'zod/mini'
import { anyoneOrCredential } from '../access.ts'
import { Health } from '../models/health.ts'
import { defineOperation } from '../operation.ts'
import { queryBoolean } from '../query.ts'

export const health = {
  getHealth: defineOperation({
    id: 'get_health',
    group: 'health',
    method: 'GET',
    path: '/api/2/health',
    access: anyoneOrCredential,
    summary: 'Get whether the service works',
    query: z.strictObject({ deep: z.optional(queryBoolean) }),
    // Monitors look at the status alone, so it shows a part that fails.
    responses: { 200: Health, 503: Health },
    errors: ['not_authenticated', 'permission_denied'],
    readsCredentialWith: 'deep',
  }),
}
