import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { createBrowserSecret } from '../../lib/http/cookies.ts'
import { buildOidcCookie, readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { listParameters } from '../../lib/oidc/list-parameters.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import { isSignedIn } from '../../lib/oidc/signed-in.ts'
import { hashOidcValue } from '../../lib/store/oidc/tokens.ts'
import { toAuthorizationReply } from './authorization-reply.ts'

/** Redirects the browser to the client with a code, or to the sign-in page first. */
export const startAuthorization: UseCase<typeof oidc.startAuthorization> = async (
  { query, principal, cookies, context },
  services,
) => {
  const { runProvider } = await import('../../lib/oidc/provider/run-provider.ts')
  const { config } = services
  const browser = readOidcCookie(config, cookies) ?? createBrowserSecret()
  const user = principal && isSignedIn(principal) ? principal : undefined
  const run = { services, context, principal: user, browser: hashOidcValue(browser) }
  const response = await runProvider(run, {
    method: 'GET',
    path: providerPaths.authorization,
    query: allowOfflineAccess(listParameters(query)),
    // The library looks for a session only if the request names one. Which one it gets depends on the caller.
    ...(user ? { cookies: { session: 'present' } } : {}),
  })
  return toAuthorizationReply(run, response, [buildOidcCookie(config, browser)])
}

/**
 * OpenID Connect Core 11 lets a server give refresh tokens without `prompt=consent` under conditions of its own. Here it is
 * the registration of the client. The library insists on the parameter.
 */
const allowOfflineAccess = (parameters: Record<string, string>): Record<string, string> => {
  const { scope = '', prompt = '' } = parameters
  const prompts = prompt.split(' ').filter((name) => name !== '')
  const isSilent = prompts.includes('none') || prompts.includes('consent')
  return scope.split(' ').includes('offline_access') && !isSilent
    ? { ...parameters, prompt: [...prompts, 'consent'].join(' ') }
    : parameters
}
