import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import { buildClearedSessionCookies } from '../../http/authenticate.ts'
import { choosePageLanguage } from '../../http/page.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildLogoutAuditSteps } from '../impersonation/rules.ts'
import { type LogoutTarget, readIdTokenHint, resolveLogoutTarget } from './logout-request.ts'
import type { oidc } from './operations.ts'
import { getSessionId } from './tokens/claims.ts'

/**
 * Signs a user out for a client (OpenID Connect RP-Initiated Logout). An ID token of the present session shows that the
 * client knows it. Without one, the user is asked, so that no other site can sign them out by a link.
 */
export const logoutForClient: UseCase<typeof oidc.logoutForClient> = async (
  { query, principal, context, cookies },
  services,
) => {
  const given = listParameters(query)
  const { id_token_hint: token, client_id: clientId, post_logout_redirect_uri: returnTo, state } = given
  const hint = token === undefined ? undefined : await readIdTokenHint(services, token)
  if (hint && clientId !== undefined && clientId !== hint.clientId)
    throw invalidRequest([{ field: 'client_id', message: 'is not the client of the ID token' }])
  const target = await resolveLogoutTarget(services, {
    clientId: hint?.clientId ?? clientId,
    returnTo,
    state,
  })
  const page =
    principal && hint?.sid !== getSessionId(principal)
      ? await ask(services, { given, principal, context, cookies }, target, undefined)
      : undefined
  return page ?? endAndRedirect(services, principal, context, target.location)
}

/** Signs the user out after they agreed. Only a page of this service can send the form. */
export const confirmLogoutForClient: UseCase<typeof oidc.confirmLogoutForClient> = async (
  { body: { shown, ...body }, principal, context, cookies },
  services,
) => {
  const given = listParameters(body)
  const { client_id: clientId, post_logout_redirect_uri: returnTo, state } = given
  const target = await resolveLogoutTarget(services, { clientId, returnTo, state })
  const page = principal && (await ask(services, { given, principal, context, cookies }, target, shown))
  return page ?? endAndRedirect(services, principal, context, target.location)
}

interface Asked {
  /** The parameters of the request, which the page repeats. */
  readonly given: Readonly<Record<string, string>>
  readonly principal: SessionPrincipal
  readonly context: RequestContext
  readonly cookies: readonly string[]
}

const ask = async (
  services: Services,
  { given, principal, context, cookies }: Asked,
  target: LogoutTarget,
  shown: string | undefined,
) => {
  const hints = { userLanguage: principal.user.language, acceptLanguage: context.language }
  // Loaded on demand, because most requests of the function are not about pages.
  const { askToSignOut } = await import('./logout.page.ts')
  const language = choosePageLanguage({ query: given, cookies, ...hints })
  return askToSignOut(services, language, principal, target, given, shown)
}

/** Everything that has to happen at the end of a session, such as notices to its clients, belongs to `endSession`. */
const endAndRedirect = async (
  { table, config }: Services,
  principal: SessionPrincipal | undefined,
  context: RequestContext,
  location: string,
) => {
  if (principal) await endSession(table, principal.session, buildLogoutAuditSteps(context, principal))
  return { status: 303, headers: { location }, cookies: buildClearedSessionCookies(config) } as const
}
