import * as z from 'zod/mini'
import { anyoneOrCredential } from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { queryBoolean } from '../../kernel/contract/query.ts'
import { healthCheckMs } from '../../kernel/limits/limits.ts'
import { Health } from '../audit/overview.models.ts'

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
    responses: { 200: docs && Health, 503: docs && Health },
    errors: ['not_authenticated', 'permission_denied'],
    readsCredentialWith: 'deep',
    text:
      docs &&
      describe(() => ({
        description: `Returns the status and the version of the service. It needs no credential and reads no data, so a monitor can call it often.

With \`deep=true\`, the service checks its parts. It reads its table, encrypts a text, decrypts a stored one, and looks for a sender of
emails. Each check takes at most ${healthCheckMs / 1000} seconds. Only administrators may do this, with a session or with an API
token that has no scopes or the scope \`system:admin-access\`. Everyone else gets a 401 or 403.

If a check fails, the HTTP status is 503, and \`checks\` shows which part does not work. The causes are in the log alone.`,
        parameters: {
          deep: {
            description: 'Whether to check the parts of the service. The default is false.',
            example: true,
          },
        },
        responses: {
          200: [
            { summary: 'Without checks', value: { status: 'ok', version: '0.1.0' } },
            {
              summary: 'With checks, for administrators',
              value: {
                status: 'ok',
                version: '0.1.0',
                commit: '29c7398c1f0a4b6d8e5c3a2b1d0f9e8c7b6a5d4e',
                checks: [
                  { name: 'table', status: 'ok', detail: null, duration_ms: 6 },
                  { name: 'vault', status: 'ok', detail: null, duration_ms: 12 },
                  {
                    name: 'mail',
                    status: 'off',
                    detail: 'No sender is configured, so the service sends no emails.',
                    duration_ms: 0,
                  },
                ],
              },
            },
          ],
          503: [
            {
              summary: 'A check that failed',
              value: {
                status: 'failing',
                version: '0.1.0',
                commit: '29c7398c1f0a4b6d8e5c3a2b1d0f9e8c7b6a5d4e',
                checks: [
                  { name: 'table', status: 'ok', detail: null, duration_ms: 6 },
                  {
                    name: 'vault',
                    status: 'failing',
                    detail: 'The key of the vault could not encrypt and decrypt a text.',
                    duration_ms: 41,
                  },
                  { name: 'mail', status: 'ok', detail: null, duration_ms: 0 },
                ],
              },
            },
          ],
        },
      })),
  }),
}
