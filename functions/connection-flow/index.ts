import { connectionFlow } from '../../lib/features/connections/flow.operations.ts'
import * as invitation from '../../lib/features/connections/invitation.use-cases.ts'
import * as samlSignIn from '../../lib/features/connections/saml/sign-in.use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  connectionFlow,
  {
    ...samlSignIn,
    ...invitation,
    ...onDemand(
      () => import('../../lib/features/connections/oidc/sign-in.use-cases.ts'),
      'startOidcSignIn',
      'receiveOidcAnswer',
      'receiveOidcAnswerByForm',
      'returnFromOidcSignIn',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/oidc/logout.use-cases.ts'),
      'receiveUpstreamLogout',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/oidc/apple-notifications.use-cases.ts'),
      'receiveAppleNotification',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/question.use-cases.ts'),
      'showSignInQuestion',
      'answerSignInQuestion',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/saml/logout.use-cases.ts'),
      'startSamlLogout',
      'returnFromSamlLogout',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/test-results.use-cases.ts'),
      'getConnectionTestResult',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/saml/diagnosis.use-cases.ts'),
      'diagnoseSamlResponse',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/saml/setup-tests.use-cases.ts'),
      'startSamlSetupTest',
      'findSamlSetupTest',
    ),
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { connectionErrorPage } = await import('../../lib/features/connections/error.page.ts')
    return connectionErrorPage(services)(problem, event)
  },
)
