import type { OAuthError } from '../contract/models/oidc-flow.ts'

/** The response to a client that did not authenticate (RFC 6749 5.2). */
export const refuseClient = () => ({
  status: 401 as const,
  headers: { 'www-authenticate': 'Basic realm="OAuth"' },
  body: {
    error: 'invalid_client',
    error_description: 'The client is unknown, or its secret is wrong or missing.',
  } satisfies OAuthError,
})
