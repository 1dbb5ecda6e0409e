import { countFailedLookup } from '../accounts/common/lookup-throttle.ts'
import type { RequestContext } from '../accounts/common/request-context.ts'
import type { OAuthError } from '../contract/models/oidc-flow.ts'
import type { Services } from '../services.ts'

/**
 * Counts a client that did not authenticate, as everywhere that secrets are checked, and returns the response (RFC 6749
 * 5.2).
 *
 * @throws AppError `too_many_requests` when the caller's network exceeds the limit
 */
export const refuseClient = async (services: Services, context: RequestContext) => {
  await countFailedLookup(services, context)
  return refusal
}

const refusal = {
  status: 401 as const,
  headers: { 'www-authenticate': 'Basic realm="OAuth"' },
  body: {
    error: 'invalid_client',
    error_description: 'The client is unknown, or its secret is wrong or missing.',
  } satisfies OAuthError,
}
