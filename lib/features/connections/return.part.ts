import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildDeviceCookies, readKnownDevice } from '../../http/device-cookie.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Services } from '../../services.ts'
import { toAccountPage } from '../pages/addresses.models.ts'
import { findStartPage } from '../sign-in/complete-sign-in.ts'
import { resolveDestination } from '../sign-in/destinations.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { signInReturns } from '../sign-in-returns.ts'
import { findReturn, takeReturn } from './flows.records.ts'
import type { ConnectionName } from './records.ts'
import { buildStartPath } from './retry-path.ts'

/** The request of a browser at the end of its sign-in. */
export interface ReturnRequest {
  readonly params: { readonly id: number }
  readonly query: { readonly flow?: string | undefined }
  readonly principal: SessionPrincipal | undefined
  readonly cookies: readonly string[]
  readonly context: RequestContext
}

/**
 * Redirects a browser to the page where its sign-in started. For another allowed origin, the URL gets what
 * identifies the user to the product, such as a ticket. Only the page that the sign-in was started for gets it.
 */
export const returnToStart = async (
  { params, query, principal, cookies, context }: ReturnRequest,
  services: Services,
  kind: ConnectionName['kind'],
) => {
  const { config, table, now } = services
  const goTo = (location: string, cookies: readonly string[] = []) =>
    ({ status: 303, headers: { location }, cookies }) as const
  if (query.flow === undefined)
    return goTo(principal ? getHomePage(config, principal) : buildUnfinishedUrl(config))
  // The session cookie was set together with this redirect. A browser that rejected it would reject the next one too.
  if (!principal) {
    const flowReturn = await findReturn(table, params.id, query.flow)
    if (!flowReturn) return goTo(buildUnfinishedUrl(config))
    throw new AppError('not_authenticated', {
      reason: 'no_cookie',
      detail: `Your browser did not store the session cookie. Allow cookies for ${config.publicUrl} and sign in again.`,
      tryAgain: buildStartPath(
        { id: params.id, kind },
        { returnTo: flowReturn.returnTo, forceAuthn: false, link: null },
      ),
    })
  }
  const flowReturn = await takeReturn(table, params.id, query.flow, now())
  if (flowReturn?.session !== principal.hash) return goTo(getHomePage(config, principal))
  const target = new URL(flowReturn.returnTo ?? getHomePage(config, principal), config.publicUrl)
  // The browser sends its device cookie again here. Like every sign-in, this one makes it last longer.
  const renewed = buildDeviceCookies(config, readKnownDevice(config, cookies))
  if (target.origin !== config.publicUrl && isLimitedToOrganizations(principal))
    return goTo(getHomePage(config, principal), renewed)
  if (target.origin === config.publicUrl || !resolveDestination(config, target.href))
    return goTo(target.href, renewed)
  let location = target.href
  for (const addTo of signInReturns) location = await addTo(services, principal, context, new URL(location))
  return goTo(location, renewed)
}

/** Returns the page for users who signed in without a page to return to. The sign-in of an organization gives no ticket. */
const getHomePage = (config: Config, principal: SessionPrincipal): string =>
  isLimitedToOrganizations(principal)
    ? toAccountPage(config.publicUrl)
    : (findStartPage(config, principal.user)?.href ?? config.signInUrl)

const buildUnfinishedUrl = ({ signInUrl, publicUrl }: Config): string => {
  const url = new URL(signInUrl, publicUrl)
  url.searchParams.set('error', 'sign_in_not_finished')
  return url.href
}
