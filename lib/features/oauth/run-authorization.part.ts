import { createHash } from 'node:crypto'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import {
  buildInteractionCookie,
  buildOAuthCookie,
  buildPendingClientCookie,
  type PendingClient,
} from '../../http/oauth-cookie.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import {
  type AuthorizationError,
  type AuthorizationRefusal,
  describeRefusal,
  formatError,
  formatRefusal,
} from './authorization-refusal.ts'
import { countStart } from './count-start.ts'
import { getInteractionEnd, type Interaction } from './interactions.ts'
import { providerPaths } from './provider/provider-paths.ts'
import type { ProviderRun, StartedInteraction } from './provider/run.ts'
import { buildSignInUrlToStart } from './provider/sign-in-url.ts'

interface Authorization {
  readonly services: Services
  readonly context: RequestContext
  readonly principal: SessionPrincipal | undefined
  /** The value of the cookie that binds interactions to the browser. */
  readonly browser: string
  readonly parameters: Readonly<Record<string, string>>
  /** The interaction that this completes. */
  readonly interaction?: Interaction
  /** See `ProviderRun`, like `consent`. */
  readonly wasPushed?: boolean
  readonly consent?: 'given' | 'refused' | undefined
}

/**
 * Has the library check an authorization and answer it. An authorization that waited for a sign-in passes all checks again,
 * so a change of the client counts at once.
 *
 * @throws AppError `invalid_request` for an error that cannot be sent to the client, because its address is not known to be its own
 */
export const runAuthorization = async (authorization: Authorization) => {
  const { runProvider } = await import('./provider/run-provider.ts')
  const { services, principal, parameters, browser, context } = authorization
  const run: ProviderRun = { ...authorization }
  const { headers, body } = await runProvider(run, {
    method: 'GET',
    path: providerPaths.authorization,
    query: allowOfflineAccess(parameters),
    // The library looks for a session only if the request names one. Which one it gets depends on the caller.
    ...(principal ? { cookies: { session: 'present' } } : {}),
  })
  const { config } = services
  if (run.unread) return signInFirst(authorization, run.unread)
  const refusal = run.authorizationError && describeRefusal(run.authorizationError, parameters, run.client)
  if (refusal && !principal && isSilent(parameters)) await countStart(services, context)
  if (refusal) services.log.warn('oidc.refused', { request_id: context.requestId, ...refusal })
  // Strangers must not learn what is registered. In local mode, the reader of the page is its developer.
  if (run.refusal) throw createRefusal(run.refusal, config.localKeyFile === undefined ? undefined : refusal)
  if (run.authorizationError && mustSignInFirst(authorization))
    return signInFirst(authorization, createRefusal(run.authorizationError, undefined))
  const cookies = [buildOAuthCookie(config, browser), ...buildStartedCookies(services, run.started)]
  const { location } = headers
  if (location !== undefined) return { status: 303, headers: { location }, cookies } as const
  return { status: 200, body, headers: allowScript(body), cookies } as const
}

/**
 * Whether the user signs in before a client gets an error. Otherwise a link to this service could lead people to a client that
 * was registered to look like this service (RFC 9700 4.11.2). Without a page, the client gets the error at once.
 */
const mustSignInFirst = ({ principal, parameters }: Authorization): boolean =>
  principal === undefined && !isSilent(parameters)

/** Whether the client asks for an answer without any page. */
export const isSilent = ({ prompt = '' }: Readonly<Record<string, string>>): boolean =>
  prompt.split(' ').includes('none')

/**
 * Leads to the sign-in page, from which the authorization starts again.
 *
 * @throws the error if it cannot: without a page, and after it was pushed
 */
const signInFirst = (authorization: Authorization, error: AppError) => {
  const { services, parameters, wasPushed = false } = authorization
  const canStart = !wasPushed && mustSignInFirst(authorization)
  const location = canStart ? buildSignInUrlToStart(services.config, parameters) : undefined
  if (location === undefined) throw error
  return { status: 303, headers: { location }, cookies: [] } as const
}

const buildStartedCookies = (
  { config }: Services,
  started: StartedInteraction | undefined,
): readonly string[] => {
  if (!started) return []
  const { uid, sealed, interaction } = started
  return [
    buildInteractionCookie(config, `${providerPaths.interaction}/${uid}`, sealed),
    buildPendingClientCookie(config, toPendingClient(uid, interaction)),
  ]
}

/** What the sign-in page knows about the client of an interaction. */
export const toPendingClient = (uid: string, interaction: Interaction): PendingClient => ({
  uid,
  id: interaction.id,
  clientId: interaction.parameters['client_id'] ?? '',
  expiresAt: getInteractionEnd(interaction),
})

/** An error that the user sees instead of the client. */
export const createRefusal = (
  error: AuthorizationError,
  shown: AuthorizationRefusal | undefined,
): AppError => {
  const detail = formatError(error)
  return new AppError('invalid_request', {
    reason: 'authorization_refused',
    detail: shown ? formatRefusal(shown) : detail,
    errors: [{ field: 'query', message: `was refused: ${detail}` }],
    tryAgain: null,
  })
}

/**
 * OpenID Connect Core 11 lets a server give refresh tokens without `prompt=consent` under conditions of its own. Here it is
 * the registration of the client. The library insists on the parameter.
 */
const allowOfflineAccess = (parameters: Readonly<Record<string, string>>): Record<string, string> => {
  const { scope = '', prompt = '' } = parameters
  const prompts = prompt.split(' ').filter((name) => name !== '')
  const isSilent = prompts.includes('none') || prompts.includes('consent')
  return scope.split(' ').includes('offline_access') && !isSilent
    ? { ...parameters, prompt: [...prompts, 'consent'].join(' ') }
    : parameters
}

/** For `response_mode=form_post`: the page of the library sends its form by a script, and the client may run in a popup. */
const allowScript = (html: string): Record<string, string> => {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'unsafe-none',
  }
}
