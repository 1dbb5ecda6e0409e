import { adminWithScope, anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { testResultMs } from '../../kernel/limits/connection-limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { InvitationRedirect } from '../invitations/models.ts'
import { DiagnoseSAMLResponseRequest, SAMLDiagnosis, SAMLTestResult } from './diagnosis.models.ts'
import { SAMLSetupTest, SAMLSetupToken } from './saml/setup.models.ts'

const idDescription = docs && ({ description: 'The ID of the SAML provider.', example: 2 } as const)

/** A response without content, in base64. */
const exampleResponse =
  docs &&
  Buffer.from('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_example"/>').toString(
    'base64',
  )

/** The tools with which administrators find out why a connection fails. */
export const connectionTests = {
  diagnoseSamlResponse: defineOperation({
    id: 'diagnose_saml_response',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/diagnose',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Check a SAML response step by step without signing anyone in',
    body: DiagnoseSAMLResponseRequest,
    bodyLimitBytes: 256 * 1024,
    responses: { 200: docs && SAMLDiagnosis },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Checks a SAML response step by step, and reports the outcome of each step and what to change. No user signs in, and the
response stays usable. Copy \`SAMLResponse\` from the developer tools of the browser,
and \`RelayState\` too, so that the response is compared with its sign-in.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'A response from the developer tools of a browser',
            value: { saml_response: exampleResponse, relay_state: '_4f1c2a9be0d3' },
          },
        ],
        responses: { 200: [{ summary: 'A response that was refused', value: exampleOf(SAMLDiagnosis) }] },
      })),
  }),
  startSamlSetupTest: defineOperation({
    id: 'start_saml_setup_test',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml-setup/test',
    access: anyone,
    summary: 'Start a test sign-in with a set-up link',
    body: SAMLSetupToken,
    responses: { 200: docs && InvitationRedirect },
    errors: ['invalid_token', 'permission_denied', 'conflict', 'too_many_requests'],
    audit: ['saml_setup.link_refused'],
    limits: ['lookUpFailures', 'samlStarts'],
    text:
      docs &&
      describe(() => ({
        description: `Starts a sign-in that only tests a connection, for the holder of a set-up link. The page \`/setup\` sends the token, then opens the
URL of the response in the same browser. The browser comes back to that page with the ID of the test. No one is signed in.

Without metadata the response is 409 with the reason \`setup_incomplete\`. Pages of other sites cannot call it.`,
        parameters: {},
        request: [{ summary: 'The token of a link', value: exampleOf(SAMLSetupToken) }],
        responses: { 200: [{ summary: 'Where the browser goes', value: exampleOf(InvitationRedirect) }] },
      })),
  }),
  findSamlSetupTest: defineOperation({
    id: 'find_saml_setup_test',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml-setup/test-result',
    access: anyone,
    summary: 'Get what a test sign-in found with a set-up link',
    body: SAMLSetupTest,
    responses: { 200: docs && SAMLTestResult },
    errors: ['invalid_token', 'permission_denied', 'not_found', 'too_many_requests'],
    audit: ['saml_setup.link_refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Returns what a test sign-in of the connection found, for the holder of a set-up link. It shows what the identity provider sent. It
says nothing about users here: \`user\` is null, and the check \`account\` is left out. The result stays for
${describeDuration(testResultMs)}.`,
        parameters: {},
        request: [{ summary: 'A test of the connection', value: exampleOf(SAMLSetupTest) }],
        responses: { 200: [{ summary: 'An accepted response', value: exampleOf(SAMLTestResult) }] },
      })),
  }),
  getSamlTestResult: defineOperation({
    id: 'get_saml_test_result',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/tests/{token}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Get what a test sign-in found',
    responses: { 200: docs && SAMLTestResult },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Returns what a test sign-in found: the result of each check and the user whom the response describes. To test a connection,
open \`start_saml_auth\` or \`start_oidc_sign_in\` with \`test=true\` in the browser of an administrator. The browser then returns to the console with
the ID of the test. The result stays for ${describeDuration(testResultMs)}.`,
        parameters: {
          id: idDescription,
          token: { description: 'The ID of the test.', example: '_4f1c2a9be0d3' },
        },
        responses: { 200: [{ summary: 'An accepted response', value: exampleOf(SAMLTestResult) }] },
      })),
  }),
}
