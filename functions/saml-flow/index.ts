import { connectionFlow } from '../../lib/features/connections/flow.operations.ts'
import * as flowBrowser from '../../lib/features/connections/flow-browser.step.ts'
import * as useCases from '../../lib/features/connections/oidc/logout.use-cases.ts'
import * as metadata from '../../lib/features/connections/return.use-cases.ts'
import { returnFromSamlAuth } from '../../lib/features/connections/return.use-cases.ts'
import * as assertion from '../../lib/features/connections/saml/assertion.use-cases.ts'
import * as start from '../../lib/features/connections/start.use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  connectionFlow,
  {
    ...assertion,
    ...onDemand(
      () => import('../../lib/features/connections/diagnosis.use-cases.ts'),
      'diagnoseSamlResponse',
    ),
    ...metadata,
    ...onDemand(
      () => import('../../lib/features/connections/oidc/answer.use-cases.ts'),
      'startOidcSignIn',
      'receiveOidcAnswer',
      'returnFromOidcSignIn',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/question.use-cases.ts'),
      'showSignInQuestion',
      'answerSignInQuestion',
    ),
    ...useCases,
    returnFromSamlAuth,
    ...onDemand(
      () => import('../../lib/features/connections/saml/logout.use-cases.ts'),
      'startSamlLogout',
      'returnFromSamlLogout',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/test-sign-in.use-cases.ts'),
      'getSamlTestResult',
      'startSamlSetupTest',
      'findSamlSetupTest',
    ),
    ...start,
    ...flowBrowser,
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { connectionErrorPage } = await import('../../lib/features/connections/error.page.ts')
    return connectionErrorPage(services)(problem, event)
  },
)
