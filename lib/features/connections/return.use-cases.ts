import { buildDeviceCookies, readKnownDevice } from '../../http/device-cookie.ts'
import { buildRestartCookie, hasRestartCookie } from '../../http/flow-cookie.ts'
import type { Reply, UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { queryText } from '../../kernel/contract/query.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { findStartPage } from '../sign-in/complete-sign-in.ts'
import { resolveDestination } from '../sign-in/destinations.ts'
import { buildTicketUrl } from '../tickets/rules.ts'
import type { connectionFlow } from './flow.operations.ts'
import { findReturn, takeReturn } from './flows.records.ts'
import type { ConnectionName } from './records.ts'
import { buildStartPath } from './retry-path.ts'
import { isUnsolicited, type PostedResponse } from './saml/expected-response.ts'
import { requireProvider } from './saml/saml-context.ts'
import { buildServiceMetadata, getServiceUrls } from './saml/service-provider.ts'
import { getSpCertificates } from './saml/sp-keys.ts'

/**
 * Redirects a browser to the page where its sign-in started. For another allowed origin, the URL gets a ticket that
 * identifies the user to the product. Only the page that the sign-in was started for gets a ticket.
 */
export const returnFromSamlAuth: UseCase<typeof connectionFlow.returnFromSamlAuth> = (request, services) =>
  returnToStart(request, services, 'saml')

type Request = Pick<
  UseCaseRequest<typeof connectionFlow.returnFromSamlAuth>,
  'params' | 'principal' | 'cookies' | 'context'
> & { readonly query: { readonly flow?: string | undefined } }

/** The same for all kinds of connections. */
export const returnToStart = async (
  { params, query, principal, cookies, context }: Request,
  services: Services,
  kind: ConnectionName['kind'],
) => {
  const { config, table, now } = services
  const goTo = (location: string, cookies: readonly string[] = []) =>
    ({ status: 303, headers: { location }, cookies }) as const
  if (query.flow === undefined)
    return goTo(principal ? getHomePage(config, principal.user) : buildUnfinishedUrl(config))
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
  if (flowReturn?.session !== principal.hash) return goTo(getHomePage(config, principal.user))
  const target = new URL(flowReturn.returnTo ?? getHomePage(config, principal.user), config.publicUrl)
  // The browser sends its device cookie again here. Like every sign-in, this one makes it last longer.
  const renewed = buildDeviceCookies(config, readKnownDevice(config, cookies))
  if (target.origin === config.publicUrl || !resolveDestination(config, target.href))
    return goTo(target.href, renewed)
  return goTo(await buildTicketUrl(services, principal, context, target), renewed)
}

/** Returns the page for users who signed in without a page to return to. */
const getHomePage = (config: Config, user: UserRecord): string =>
  findStartPage(config, user)?.href ?? config.signInUrl

const buildUnfinishedUrl = ({ signInUrl, publicUrl }: Config): string => {
  const url = new URL(signInUrl, publicUrl)
  url.searchParams.set('error', 'sign_in_not_finished')
  return url.href
}

/**
 * Answers a response to no request, such as after a click on a tile in the portal of a company. It proves nothing: another
 * site may have had the browser post it. The browser is sent to start a sign-in of its own, which the session at the identity
 * provider completes at once. RelayState can name the page to return to, if browsers may be sent there.
 *
 * Returns undefined if the response is no such one, or if this browser was just sent. An identity provider that also loses
 * what a request contains would send it around without end.
 */
export const restartSignIn = (
  { config, log }: Pick<Services, 'config' | 'log'>,
  providerId: number,
  posted: PostedResponse,
  cookies: readonly string[],
): Reply<typeof connectionFlow.receiveSamlAuthAssertion> | undefined => {
  if (!isUnsolicited(posted) || hasRestartCookie(config, cookies)) return undefined
  const { relayState } = posted
  const isPage = queryText.safeParse(relayState).success && resolveDestination(config, relayState)
  log.info('saml.sign_in_restarted', { provider: providerId })
  const start = { returnTo: isPage ? relayState : null, forceAuthn: false, link: null }
  return {
    status: 303,
    headers: { location: buildStartPath({ id: providerId, kind: 'saml' }, start) },
    cookies: [buildRestartCookie(config)],
  }
}

/** Describes this service to an identity provider: the URLs for messages and the current and next certificates. */
export const getSamlServiceProviderMetadata: UseCase<
  typeof connectionFlow.getSamlServiceProviderMetadata
> = async ({ params }, { table, config }) => {
  const provider = await requireProvider(table, params.id)
  const urls = getServiceUrls(config.publicUrl, provider.id)
  const facts = { urls, ...getSpCertificates(provider), nameIdFormat: provider.nameid_format }
  return { status: 200, body: buildServiceMetadata(facts) }
}
