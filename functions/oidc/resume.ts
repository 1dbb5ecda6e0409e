import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { AppError } from '../../lib/core/errors.ts'
import { oidcReturnsMax } from '../../lib/core/limits.ts'
import { buildOidcCookie, readOidcCookie } from '../../lib/http/oidc-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { isProofEnough } from '../../lib/oidc/proof.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import { buildSignInUrl } from '../../lib/oidc/provider/sign-in-url.ts'
import { isSignedIn } from '../../lib/oidc/signed-in.ts'
import { countOidcReturn, findOidcInteraction } from '../../lib/store/oidc/interactions.ts'
import { hashOidcValue } from '../../lib/store/oidc/tokens.ts'
import { toAuthorizationReply } from './authorization-reply.ts'

/**
 * Completes an authorization with the session that the browser has now. Only the browser that started it may complete it:
 * otherwise an attacker could have another person sign in for the attacker's client session, or the other way around.
 */
export const resumeAuthorization: UseCase<typeof oidc.resumeAuthorization> = async (
  { params: { uid }, principal, cookies, context },
  services,
) => {
  const { config, table, now } = services
  const cookie = readOidcCookie(config, cookies)
  const record = cookie === undefined ? undefined : await findOidcInteraction(table, uid, now())
  if (cookie === undefined || record?.browser !== hashOidcValue(cookie)) throw createExpiredError()
  const user = principal && isSignedIn(principal) ? principal : undefined
  if (!user || !isProofEnough(record, user)) {
    // A sign-in page that returns at once, without a new sign-in, would otherwise lead to a loop.
    if (!(await countOidcReturn(table, uid, oidcReturnsMax))) throw createExpiredError()
    const location = buildSignInUrl(config, uid, { params: getParameters(record.payload), prompt: 'login' })
    return { status: 303, headers: { location } }
  }
  const { runProvider } = await import('../../lib/oidc/provider/run-provider.ts')
  const run = { services, context, principal: user, browser: record.browser, interaction: { uid, record } }
  const response = await runProvider(run, {
    method: 'GET',
    path: `${providerPaths.authorization}/${encodeURIComponent(uid)}`,
    cookies: { session: 'present', resume: uid },
  })
  return toAuthorizationReply(run, response, [buildOidcCookie(config, cookie)])
}

const createExpiredError = (): AppError =>
  new AppError('invalid_request', {
    reason: 'authorization_expired',
    detail: 'This sign-in was completed, has expired, or was started in another browser.',
    tryAgain: null,
  })

const getParameters = ({ params }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof params === 'object' && params !== null ? { ...params } : {}
