import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as assertion from './assertion.ts'
import * as diagnose from './diagnose.ts'
import * as metadata from './metadata.ts'
import * as oidcAnswer from './oidc-answer.ts'
import { receiveUpstreamLogout } from './oidc-logout.ts'
import { returnFromSamlAuth } from './return.ts'
import * as returnLogout from './return-logout.ts'
import * as setupTest from './setup-test.ts'
import * as start from './start.ts'
import * as startInvitation from './start-invitation.ts'
import * as startLogout from './start-logout.ts'
import * as testSignIn from './test-sign-in.ts'

export const handler = createGroupHandler(
  samlFlow,
  {
    ...assertion,
    ...diagnose,
    ...metadata,
    ...oidcAnswer,
    receiveUpstreamLogout,
    returnFromSamlAuth,
    ...returnLogout,
    ...setupTest,
    ...start,
    ...startInvitation,
    ...startLogout,
    ...testSignIn,
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { samlErrorPage } = await import('./error-page.ts')
    return samlErrorPage(services)(problem, event)
  },
)
