import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as assertion from './assertion.ts'
import * as diagnosis from './diagnosis.ts'
import * as flowBrowser from './flow-browser.ts'
import * as logout from './logout.ts'
import * as oidcAnswer from './oidc-answer.ts'
import { receiveUpstreamLogout } from './oidc-logout.ts'
import * as metadata from './return.ts'
import { returnFromSamlAuth } from './return.ts'
import * as start from './start.ts'
import * as testSignIn from './test-sign-in.ts'

export const handler = createGroupHandler(
  samlFlow,
  {
    ...assertion,
    ...diagnosis,
    ...metadata,
    ...oidcAnswer,
    receiveUpstreamLogout,
    returnFromSamlAuth,
    ...logout,
    ...testSignIn,
    ...start,
    ...flowBrowser,
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { samlErrorPage } = await import('./error-page.ts')
    return samlErrorPage(services)(problem, event)
  },
)
