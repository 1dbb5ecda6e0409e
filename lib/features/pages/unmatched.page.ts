import type { ErrorPage } from '../../http/error-handler.ts'
import { choosePageLanguageOf } from '../../http/page.ts'
import type { Services } from '../../services.ts'
import type { Branding } from '../branding/brand.models.ts'
import { findBranding } from '../branding/find-branding.ts'
import { builtPages } from './error-page.prebuilt.ts'
import { renderPlainPage } from './plain/plain.page.ts'

/**
 * The page for people who opened an address in a browser that no page has. Nothing of the address is shown. `branding` replaces
 * that of the service.
 */
export const unmatchedErrorPage =
  (services: Services, branding?: Branding): ErrorPage =>
  async ({ code, requestId }, event) => {
    const shown = branding ?? (await findBranding(services))
    return renderPlainPage(builtPages.error, shown, choosePageLanguageOf(event), (t) => ({
      title: t(code === 'not_found' ? 'notFoundTitle' : 'noPageTitle'),
      message: t(code === 'not_found' ? 'notFound' : 'noPage'),
      signInUrl: services.config.signInUrl,
      goToSignIn: t('goToSignIn'),
      requestNumber: t('requestNumber', { number: requestId }),
    }))
  }
