import { oidc } from '../../lib/contract/operations/oidc.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as formTarget from './form-target.ts'
import * as tokens from './tokens.ts'
import * as useCases from './use-cases.ts'
import * as userinfo from './userinfo.ts'

export const handler = answerFromCache(
  oidc,
  createGroupHandler(
    oidc,
    {
      ...useCases,
      ...onDemand(
        () => import('./device-pages.ts'),
        'startDeviceAuthorization',
        'showDevicePage',
        'enterDeviceCode',
        'answerDevice',
      ),
      ...tokens,
      ...onDemand(() => import('./logout.ts'), 'logoutForClient', 'confirmLogoutForClient'),
      ...onDemand(() => import('./push-authorization.ts'), 'pushAuthorizationRequest'),
      ...formTarget,
      ...onDemand(() => import('./resume.ts'), 'resumeAuthorization', 'answerConsent'),
      ...userinfo,
    },
    // Loaded on demand, because most answers go to programs.
    (services) => async (problem, event) => {
      const { oidcErrorPage } = await import('./error-page.ts')
      return oidcErrorPage(services)(problem, event)
    },
  ),
)
