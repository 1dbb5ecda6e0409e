import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import type { Services } from '../../services.ts'
import { askFirst } from '../pages/plain/ask-first.page.ts'
import type { LogoutTarget } from './logout-request.ts'
import { builtPages } from './pages.prebuilt.ts'
import { getSessionId } from './tokens/claims.ts'

/** Asks whether to sign out. The page works without a script. */
export const askToSignOut = (
  services: Services,
  language: Language,
  principal: SessionPrincipal,
  { client, location }: LogoutTarget,
  { post_logout_redirect_uri: returnTo, state, ui_locales: locales }: Readonly<Record<string, string>>,
  shown: string | undefined,
) =>
  askFirst(
    services,
    {
      question: 'sign_out',
      id: getSessionId(principal),
      principal,
      facts: { location },
      language,
      template: builtPages.signOut,
      leadsTo: location,
      describe: (t) => ({
        title: t('signOutTitle'),
        user: t('deviceUser', { user: principal.user.username }),
        origin: client && t('signOutFrom', { app: client.name }),
        consequence: t('signOutAll'),
        signOut: t('signOut'),
        staySignedIn: t('staySignedIn'),
        clientId: client?.clientId,
        returnTo,
        state: client && state,
        locales,
      }),
    },
    shown,
  )
