import { adminWithScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { testResultMs } from '../../kernel/limits/connection-limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { ConnectionTestResult } from './diagnosis.models.ts'

/** What a test sign-in found, through a connection of any kind. */
export const connectionTests = {
  getConnectionTestResult: defineOperation({
    id: 'get_connection_test_result',
    group: 'connection-flow',
    method: 'GET',
    path: '/api/2/auth/connections/{id}/tests/{token}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Get what a test sign-in found',
    responses: { 200: docs && ConnectionTestResult },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Returns what a test sign-in found: the result of each check and the user whom the response describes. To test a connection,
open \`start_saml_auth\` or \`start_oidc_sign_in\` with \`test=true\` in the browser of an administrator. The browser then returns to the console with
the ID of the test. The result stays for ${describeDuration(testResultMs)}.`,
        parameters: {
          id: { description: 'The ID of the connection.', example: 2 },
          token: { description: 'The ID of the test.', example: '_4f1c2a9be0d3' },
        },
        responses: { 200: [{ summary: 'An accepted response', value: exampleOf(ConnectionTestResult) }] },
      })),
  }),
}
