import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { createBrowserSecret } from '../../lib/http/cookies.ts'
import { readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { applyClaimsRequest } from '../../lib/oidc/claims-request.ts'
import { listParameters } from '../../lib/oidc/list-parameters.ts'
import { isSignedIn } from '../../lib/oidc/signed-in.ts'
import { runAuthorization } from './run-authorization.ts'

/** Redirects the browser to the client with a code, or to the sign-in page first. */
export const startAuthorization: UseCase<typeof oidc.startAuthorization> = (
  { query, principal, cookies, context },
  services,
) =>
  runAuthorization({
    services,
    context,
    principal: principal && isSignedIn(principal) ? principal : undefined,
    browser: readOidcCookie(services.config, cookies) ?? createBrowserSecret(),
    parameters: applyClaimsRequest(listParameters(query)),
  })
