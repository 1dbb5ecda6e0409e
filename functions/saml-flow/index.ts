import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as assertion from './assertion.ts'
import * as flowBrowser from './flow-browser.ts'
import * as metadata from './return.ts'
import { returnFromSamlAuth } from './return.ts'
import * as start from './start.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(
  samlFlow,
  {
    ...assertion,
    ...onDemand(() => import('./diagnosis.ts'), 'diagnoseSamlResponse'),
    ...metadata,
    ...onDemand(
      () => import('./oidc-answer.ts'),
      'startOidcSignIn',
      'receiveOidcAnswer',
      'returnFromOidcSignIn',
    ),
    ...onDemand(() => import('./question.ts'), 'showSignInQuestion', 'answerSignInQuestion'),
    ...useCases,
    returnFromSamlAuth,
    ...onDemand(() => import('./logout.ts'), 'startSamlLogout', 'returnFromSamlLogout'),
    ...onDemand(
      () => import('./test-sign-in.ts'),
      'getSamlTestResult',
      'startSamlSetupTest',
      'findSamlSetupTest',
    ),
    ...start,
    ...flowBrowser,
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { samlErrorPage } = await import('./error-page.ts')
    return samlErrorPage(services)(problem, event)
  },
)
