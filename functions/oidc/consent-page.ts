import { findBranding } from '../../lib/accounts/common/branding.ts'
import type { SessionPrincipal } from '../../lib/accounts/common/principal.ts'
import type { Language } from '../../lib/i18n/languages.ts'
import type { Interaction } from '../../lib/oidc/interactions.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import { buildSignInUrl } from '../../lib/oidc/provider/sign-in-url.ts'
import { findApisOfScopes, listScopes, toResource } from '../../lib/oidc/resources.ts'
import { renderPlainPage } from '../../lib/plain-pages/plain-page.ts'
import type { Services } from '../../lib/services.ts'
import type { OidcClient } from '../../lib/store/oidc/clients.ts'
import { allowFormTarget } from './form-target.ts'
import { readGrantedAccess } from './granted-access.ts'
import { builtPages } from './pages.prebuilt.ts'

interface Asking {
  readonly uid: string
  readonly client: OidcClient
  readonly interaction: Interaction
}

/**
 * Builds the page that asks a user about a client that no administrator registered. It names the client by the host of its document,
 * which is all that is certain about it, and works without a script.
 */
export const buildConsentPage = async (
  services: Services,
  language: Language,
  { user }: SessionPrincipal,
  { uid, client, interaction: { parameters } }: Asking,
) => {
  const { scope = '', redirect_uri: target = '' } = parameters
  const wanted = scope.split(' ')
  const [api] = findApisOfScopes(client, wanted)
  const resource = parameters['resource'] ?? (api && toResource(api.audience))
  const scopes = listScopes(client, resource).filter((name) => wanted.includes(name))
  const describeAccess = await readGrantedAccess(services.table, language, { client, resource, scopes })
  const app = new URL(client.clientId).host
  const { html, headers } = await renderPlainPage(
    builtPages.consent,
    await findBranding(services),
    language,
    (t) => ({
      title: t('consentQuestion', { app }),
      user: t('deviceUser', { user: user.username }),
      otherUrl: buildSignInUrl(services.config, uid, { params: {}, prompt: 'select_account' }),
      other: t('deviceOtherUser'),
      warning: t('consentWarning', { app }),
      address: t('consentAddress', { address: client.clientId }),
      leadsTo: t('consentLeadsTo', { target: URL.parse(target)?.host ?? '' }),
      action: `${providerPaths.interaction}/${uid}`,
      ...describeAccess(t, app),
    }),
  )
  return { body: html, headers: allowFormTarget(headers, target) }
}
