import type { RequestContext } from '../accounts/callers/request-context.ts'
import type { SetupRequest } from '../features/connections/saml/setup/setup-links.ts'
import { setupLinkLifetimeMs } from '../kernel/limits/saml-limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { Services } from '../services.ts'
import { buildPathCookie, getPathCookieName, readCookie } from './cookies.ts'

/*
 * By this cookie a browser proves that it opened a set-up link first. Each link has a cookie of its own, because one person may
 * set up several connections.
 */

const getName = (linkId: string): string => `latchkey-setup-${linkId}`

/** What a request with a link proves: its token, and the secret that the browser got when it opened the link. */
export const toSetupRequest = (
  { config }: Pick<Services, 'config'>,
  {
    body: { token },
    cookies,
    context,
  }: {
    readonly body: { readonly token: string }
    readonly cookies: readonly string[]
    readonly context: RequestContext
  },
): SetupRequest => ({
  context,
  token,
  readSecret: (linkId) => readCookie(cookies, getPathCookieName(config, getName(linkId))),
})

export const buildSetupCookie = (config: Config, linkId: string, value: string): string =>
  buildPathCookie(config, {
    name: getName(linkId),
    value,
    path: '/api/2/auth/saml-setup',
    maxAgeSeconds: setupLinkLifetimeMs / 1000,
  })
