import * as formTarget from '../../lib/features/oauth/form-target.part.ts'
import { oidc } from '../../lib/features/oauth/operations.ts'
import * as tokens from '../../lib/features/oauth/tokens.use-cases.ts'
import * as useCases from '../../lib/features/oauth/use-cases.ts'
import * as userinfo from '../../lib/features/oauth/userinfo.use-cases.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = answerFromCache(
  oidc,
  createGroupHandler(
    oidc,
    {
      ...useCases,
      ...onDemand(
        () => import('../../lib/features/oauth/devices.use-cases.ts'),
        'startDeviceAuthorization',
        'showDevicePage',
        'enterDeviceCode',
        'answerDevice',
      ),
      ...tokens,
      ...onDemand(
        () => import('../../lib/features/oauth/logout.use-cases.ts'),
        'logoutForClient',
        'confirmLogoutForClient',
      ),
      ...onDemand(
        () => import('../../lib/features/oauth/push-authorization.use-cases.ts'),
        'pushAuthorizationRequest',
      ),
      ...formTarget,
      ...onDemand(
        () => import('../../lib/features/oauth/resume.use-cases.ts'),
        'resumeAuthorization',
        'answerConsent',
      ),
      ...onDemand(() => import('../../lib/features/oauth/sign-in-trial.use-cases.ts'), 'tryOidcClientSignIn'),
      ...userinfo,
    },
    // Loaded on demand, because most answers go to programs.
    (services) => async (problem, event) => {
      const { oauthErrorPage } = await import('../../lib/features/oauth/error.page.ts')
      return oauthErrorPage(services)(problem, event)
    },
  ),
)
