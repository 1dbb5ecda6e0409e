import { findBranding } from '../../lib/accounts/common/branding.ts'
import type { Language } from '../../lib/i18n/languages.ts'
import type { LogoutTarget } from '../../lib/oidc/logout-request.ts'
import { allowFormTarget } from '../../lib/plain-pages/form-target.ts'
import { renderPlainPage } from '../../lib/plain-pages/plain-page.ts'
import type { Services } from '../../lib/services.ts'
import { builtPages } from './pages.prebuilt.ts'

/** Builds the page that asks whether to sign out. It works without a script. */
export const buildLogoutPage = async (
  services: Services,
  language: Language,
  { client, location }: LogoutTarget,
  { post_logout_redirect_uri: returnTo, state }: Readonly<Record<string, string>>,
) => {
  const { html, headers } = await renderPlainPage(
    builtPages.signOut,
    await findBranding(services),
    language,
    (t) => ({
      title: t('signOutTitle'),
      origin: client && t('signOutFrom', { app: client.name }),
      consequence: t('signOutAll'),
      signOut: t('signOut'),
      staySignedIn: t('staySignedIn'),
      clientId: client?.clientId,
      returnTo,
      state: client && state,
    }),
  )
  return { body: html, headers: allowFormTarget(headers, location) }
}
