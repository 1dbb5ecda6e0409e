import { oidc } from '../../lib/contract/operations/oidc.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createBrowserSecret } from '../../lib/http/cookies.ts'
import { readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { applyClaimsRequest } from '../../lib/oidc/claims.ts'
import { isSignedIn } from '../../lib/oidc/grants.ts'
import type { Services } from '../../lib/services.ts'
import { createKeyRequests } from '../../lib/signing-keys/request-keys.ts'
import { createMissingKeysWith } from '../../lib/signing-keys/signing-key.ts'
import { takePushedRequest } from '../../lib/store/oidc/authorization-requests.ts'
import { listParameters } from '../../lib/util/object-fields.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as discovery from './discovery.ts'
import * as formTarget from './form-target.ts'
import { createRefusal, runAuthorization } from './run-authorization.ts'
import * as tokens from './tokens.ts'
import * as userinfo from './userinfo.ts'

/** What the addresses of pushed requests begin with (RFC 9126 2.2). */
const prefix = 'urn:ietf:params:oauth:request_uri:'

/** Whether an authorization names parameters that its client sent before. */
const isPushed = ({ request_uri: uri = '' }: Readonly<Record<string, string>>): boolean =>
  uri.startsWith(prefix)

/**
 * The parameters that an authorization stands for (RFC 9126 4). They work once, for the client that sent them, and no other
 * parameter of the browser counts. Undefined if they were used, have expired or never existed.
 */
const takePushedParameters = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  { request_uri: uri = '', client_id: clientId }: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const found = await takePushedRequest(table, uri.slice(prefix.length), now())
  return found?.clientId === clientId ? found?.parameters : undefined
}

/** Redirects the browser to the client with a code, or to the sign-in page first. */
const startAuthorization: UseCase<typeof oidc.startAuthorization> = async (
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

const { JOB_BUS_NAME: jobBus } = process.env
// Local mode has no bus, and creates missing keys itself.
if (jobBus) createMissingKeysWith(createKeyRequests(jobBus))

export const handler = answerFromCache(
  oidc,
  createGroupHandler(
    oidc,
    {
      startAuthorization,
      ...discovery,
      ...onDemand(
        () => import('./device-pages.ts'),
        'startDeviceAuthorization',
        'showDevicePage',
        'enterDeviceCode',
        'answerDevice',
      ),
      ...tokens,
      ...onDemand(() => import('./logout.ts'), 'logoutForClient', 'confirmLogoutForClient'),
      ...onDemand(() => import('./push-authorization.ts'), 'pushAuthorizationRequest'),
      ...formTarget,
      ...onDemand(() => import('./resume.ts'), 'resumeAuthorization', 'answerConsent'),
      ...userinfo,
    },
    // Loaded on demand, because most answers go to programs.
    (services) => async (problem, event) => {
      const { oidcErrorPage } = await import('./error-page.ts')
      return oidcErrorPage(services)(problem, event)
    },
  ),
)
