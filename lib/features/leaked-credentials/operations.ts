import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { adminBySession, anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { FindCredentialRequest, FoundCredential, leakReport } from './models.ts'

export const leaks = {
  findCredential: defineOperation({
    id: 'find_credential',
    group: 'leaks',
    method: 'POST',
    path: '/api/2/auth/find-credential',
    access: adminBySession,
    summary: 'Find out whose credential a value is',
    body: FindCredentialRequest,
    responses: { 200: docs && FoundCredential },
    errors: ['not_found', 'too_many_requests'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Finds the API token, access link, session, ticket or client secret that a value belongs to, so that an administrator can end it.
The value is compared by its hash. It is not stored, not logged, and in no audit event. Unknown values are counted, like other
failed lookups.

To end a credential without knowing whose it is, use \`report_leaked_credentials\`.`,
        parameters: {},
        request: [{ summary: 'An API token', value: { value: exampleCredentials.apiToken } }],
        responses: { 200: [{ summary: 'An API token', value: exampleOf(FoundCredential) }] },
      })),
  }),
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
    localChange: 'ends_access',
    audit: ['credential.leaked', 'access_token.deleted', 'user.deleted'],
    limits: ['leakReports'],
    text:
      docs &&
      describe(() => ({
        description: `Ends credentials that were found in public, such as in a repository, a log or a chat. Anyone who
has a credential may end it: no other proof is needed. The operation ends sessions, API tokens, tickets, access links and the tokens of emails, and informs
each owner by email.

Send everything that you found, up to 100 values per request. Values that are no credentials are ignored. The response is
always 204, so it does not show which of them were valid. GitHub secret
scanning can send its findings here as they are.`,
        parameters: {},
        request: [
          { summary: 'One credential', value: { token: exampleCredentials.apiToken } },
          {
            summary: 'Several credentials',
            value: { credentials: [exampleCredentials.apiToken, exampleCredentials.session] },
          },
          {
            summary: 'Findings of GitHub secret scanning',
            value: [
              {
                token: exampleCredentials.apiToken,
                type: 'latchkey_api_token',
                url: 'https://github.com/example/shop/blob/main/deploy.sh',
                source: 'content',
              },
            ],
          },
        ],
      })),
  }),
}
