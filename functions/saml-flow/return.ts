import { resolveDestination } from '../../lib/accounts/common/destinations.ts'
import { buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import { issueTicket } from '../../lib/accounts/sign-in/tickets.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import type { Config } from '../../lib/core/config.ts'
import { AppError } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { findReturn, takeReturn } from '../../lib/store/saml/saml-flows.ts'

/**
 * Leads a browser on to where its sign-in began. To another origin that is allowed, a ticket goes along, by which the
 * product there learns who came; nobody gets one but for the place that the sign-in was begun for.
 */
export const returnFromSamlAuth: UseCase<typeof samlFlow.returnFromSamlAuth> = async (
  { params, query, principal, context },
  services,
) => {
  const { config, table, now } = services
  const goTo = (location: string) => ({ status: 303, headers: { location } }) as const
  if (query.flow === undefined) return goTo(principal ? homeOf(config, principal.user) : unfinished(config))
  // The way back was given out along with the session's cookie: a browser that lost it would lose the next as well.
  if (!principal) {
    const way = await findReturn(table, params.id, query.flow)
    if (!way) return goTo(unfinished(config))
    throw new AppError('not_authenticated', {
      reason: 'no_cookie',
      detail: `You are signed in, but your browser did not keep the cookie for it: allow cookies for ${config.publicUrl} and begin again.`,
      tryAgain: buildStartPath(params.id, { returnTo: way.returnTo, forceAuthn: false, link: null }),
    })
  }
  const way = await takeReturn(table, params.id, query.flow, now())
  if (way?.session !== principal.hash) return goTo(homeOf(config, principal.user))
  const target = new URL(way.returnTo ?? homeOf(config, principal.user), config.publicUrl)
  if (target.origin === config.publicUrl || !resolveDestination(config, target.href)) return goTo(target.href)
  target.searchParams.set('ticket', await issueTicket(services, principal, context))
  return goTo(target.href)
}

/** Where people go who sign in without having been on their way anywhere. */
const homeOf = (config: Config, { defaultPage }: UserRecord): string =>
  (defaultPage.startsWith('/') ? undefined : resolveDestination(config, defaultPage)?.href) ??
  config.signInUrl

const unfinished = ({ signInUrl, publicUrl }: Config): string => {
  const url = new URL(signInUrl, publicUrl)
  url.searchParams.set('error', 'sign_in_not_finished')
  return url.href
}
