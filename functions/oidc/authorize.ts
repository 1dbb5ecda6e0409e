import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { createBrowserSecret } from '../../lib/http/cookies.ts'
import { readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { applyClaimsRequest } from '../../lib/oidc/claims-request.ts'
import { listParameters } from '../../lib/oidc/list-parameters.ts'
import { isPushed, takePushedParameters } from '../../lib/oidc/pushed-requests.ts'
import { isSignedIn } from '../../lib/oidc/signed-in.ts'
import { createRefusal, runAuthorization } from './run-authorization.ts'

/** Redirects the browser to the client with a code, or to the sign-in page first. */
export const startAuthorization: UseCase<typeof oidc.startAuthorization> = async (
  { query, principal, cookies, context },
  services,
) => {
  const given = listParameters(query)
  const pushed = isPushed(given) ? await takePushedParameters(services, given) : undefined
  if (isPushed(given) && !pushed) throw createRefusal(unknownRequest, undefined)
  return runAuthorization({
    services,
    context,
    principal: principal && isSignedIn(principal) ? principal : undefined,
    browser: readOidcCookie(services.config, cookies) ?? createBrowserSecret(),
    parameters: pushed ?? applyClaimsRequest(given),
    wasPushed: pushed !== undefined,
  })
}

const unknownRequest = {
  error: 'invalid_request_uri',
  description: 'request_uri is invalid, has expired, or was used before',
}
