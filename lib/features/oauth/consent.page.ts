import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { askFirst } from '../pages/plain/ask-first.page.ts'
import type { TranslatePlain } from '../pages/plain/plain.page.ts'
import type { ClientRecord } from './clients.records.ts'
import { readGrantedAccess } from './granted-access.page.ts'
import type { Interaction } from './interactions.ts'
import { builtPages } from './pages.prebuilt.ts'
import { providerPaths } from './provider/provider-paths.ts'
import { buildSignInUrl } from './provider/sign-in-url.ts'
import { findApisOfScopes, listScopes, toResource } from './resources.ts'

interface Asking {
  readonly uid: string
  readonly client: ClientRecord
  readonly interaction: Interaction
  /** The organization that the tokens are for. */
  readonly organization: OrganizationRecord | undefined
}

/**
 * Asks a user for their agreement to an authorization. The page names a client that describes itself by the host of its document,
 * which is all that is certain about it, and says where the code goes. It works without a script.
 */
export const askForConsent = async (
  services: Services,
  language: Language,
  principal: SessionPrincipal,
  { uid, client, organization, interaction: { id, parameters } }: Asking,
  shown: string | undefined,
) => {
  const { scope = '', redirect_uri: target = '' } = parameters
  const wanted = scope.split(' ')
  const [api] = findApisOfScopes(client, wanted)
  const resource = parameters['resource'] ?? (api && toResource(api.audience))
  const scopes = listScopes(client, resource).filter((name) => wanted.includes(name))
  const describeAccess = await readGrantedAccess(services, language, {
    user: principal.user,
    client,
    resource,
    scopes,
    organization: organization?.name,
  })
  const { app, describeApp } = client.document ? describeAgent(client) : describeNativeApp(client)
  const describe = (t: TranslatePlain) => ({
    ...describeApp(t),
    user: t('deviceUser', { user: principal.user.username }),
    otherUrl: buildSignInUrl(services.config, { uid, id }, { params: {}, prompt: 'select_account' }),
    other: t('deviceOtherUser'),
    leadsTo: t('consentLeadsTo', { target: describeTarget(target) }),
    action: `${providerPaths.interaction}/${uid}`,
    ...describeAccess(t, app),
  })
  const question = {
    question: 'consent',
    id,
    principal,
    facts: { target, resource, scopes, organization: organization?.id },
  }
  const page = { language, template: builtPages.consent, describe, leadsTo: target }
  return askFirst(services, { ...question, ...page }, shown)
}

const describeAgent = ({ clientId }: ClientRecord) => {
  const app = new URL(clientId).host
  const describeApp = (t: TranslatePlain) => ({
    title: t('consentQuestion', { app }),
    warning: t('consentWarning', { app }),
    appAddress: t('consentAddress', { address: clientId }),
  })
  return { app, describeApp }
}

const describeNativeApp = ({ name: app }: ClientRecord) => {
  const describeApp = (t: TranslatePlain) => ({
    title: t('deviceSignInTo', { app }),
    warning: t('nativeAppWarning', { app }),
  })
  return { app, describeApp }
}

/** The host of an address, or the scheme of an app, which has no host. */
const describeTarget = (target: string): string => {
  const { host, protocol } = new URL(target)
  return host === '' ? protocol.slice(0, -1) : host
}
