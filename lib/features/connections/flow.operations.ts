import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { InvitationRedirect, InvitationToken } from '../invitations/models.ts'
import { oidcFlow } from './oidc/flow.operations.ts'
import { signInQuestions } from './questions.operations.ts'
import { samlAnswer, samlLogout, samlStart } from './saml/flow.operations.ts'
import { connectionTests } from './tests.operations.ts'

const connectionInvitations = {
  startInvitationSaml: defineOperation({
    id: 'start_invitation_saml',
    group: 'connection-flow',
    method: 'POST',
    path: '/api/2/auth/connections/{id}/invitation',
    access: anyone,
    summary: 'Start a sign-in at an identity provider that accepts an invitation',
    body: InvitationToken,
    responses: { 200: docs && InvitationRedirect },
    errors: ['invalid_token', 'not_found', 'permission_denied', 'too_many_requests', 'upstream_failed'],
    audit: ['invitation.refused'],
    limits: ['lookUpFailures', 'samlStarts', 'knownBrowserUses'],
    text:
      docs &&
      describe(() => ({
        description: `Starts a sign-in at an identity provider with which an invited user accepts their invitation. The page of the invitation
sends its token, then opens the URL of the response in the same browser. \`find_invitation\` lists the providers that can be
used, SAML providers and OpenID Connect connections, each with its URL of this operation. An administrator must trust them for the
domain of the invited address, or it is a public provider.

The account at the provider is linked to the user only if the provider asserts the address that was invited. At a public provider, the
link of the invitation is enough, as it is to choose a password. Pages of other sites cannot call it.`,
        parameters: { id: { description: 'The ID of the connection.', example: 2 } },
        request: [{ summary: 'The token of the link', value: { token: exampleCredentials.invitation } }],
        responses: { 200: [{ summary: 'Where the browser goes', value: exampleOf(InvitationRedirect) }] },
      })),
  }),
}

/** What browsers and identity providers do in a sign-in, and administrators to test one. */
export const connectionFlow = {
  ...samlStart,
  ...connectionInvitations,
  ...samlAnswer,
  ...connectionTests,
  ...oidcFlow,
  ...signInQuestions,
  ...samlLogout,
}
