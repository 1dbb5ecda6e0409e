import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { askFirst } from '../pages/plain/ask-first.page.ts'
import type { TranslatePlain } from '../pages/plain/plain.page.ts'
import { findClient } from './clients.records.ts'
import type { Interaction } from './interactions.ts'
import { builtPages } from './pages.prebuilt.ts'
import { providerPaths } from './provider/provider-paths.ts'
import { buildSignInUrl } from './provider/sign-in-url.ts'

interface Choosing {
  readonly uid: string
  readonly interaction: Interaction
  readonly organizations: readonly OrganizationRecord[]
}

/** Asks a user of several organizations which one an authorization is for. It works without a script. */
export const askForOrganization = async (
  services: Services,
  language: Language,
  principal: SessionPrincipal,
  { uid, interaction: { id, parameters }, organizations }: Choosing,
  shown: string | undefined,
) => {
  const client = await findClient(services.table, parameters['client_id'] ?? '')
  const describe = (t: TranslatePlain) => ({
    title: t('organizationQuestion'),
    user: t('deviceUser', { user: principal.user.username }),
    otherUrl: buildSignInUrl(services.config, { uid, id }, { params: {}, prompt: 'select_account' }),
    other: t('deviceOtherUser'),
    explanation: t('organizationFor', { app: client?.name ?? '' }),
    organizations: organizations.map((one) => ({ id: String(one.id), name: one.name, slug: one.slug })),
    action: `${providerPaths.interaction}/${uid}`,
    cancel: t('deviceCancel'),
  })
  const target = parameters['redirect_uri'] ?? ''
  const question = { question: 'organization', id, principal, facts: { target } }
  const page = { language, template: builtPages.organizationChoice, describe, leadsTo: target }
  return askFirst(services, { ...question, ...page }, shown)
}
