import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { receiveSamlAuthAssertion } from './assertion.ts'
import { diagnoseSamlResponse } from './diagnose.ts'
import { getSamlServiceProviderMetadata } from './metadata.ts'
import { returnFromSamlAuth } from './return.ts'
import { returnFromSamlLogout } from './return-logout.ts'
import { startSamlAuth } from './start.ts'
import { startInvitationSaml } from './start-invitation.ts'
import { startSamlLogout } from './start-logout.ts'
import { getSamlTestResult } from './test-sign-in.ts'

export const handler = createGroupHandler(
  samlFlow,
  {
    getSamlServiceProviderMetadata,
    startSamlAuth,
    startInvitationSaml,
    receiveSamlAuthAssertion,
    returnFromSamlAuth,
    diagnoseSamlResponse,
    getSamlTestResult,
    startSamlLogout,
    returnFromSamlLogout,
  },
  // Loaded on demand, because a sign-in that works needs no page.
  (services) => async (problem, event) => {
    const { samlErrorPage } = await import('./error-page.ts')
    return samlErrorPage(services)(problem, event)
  },
)
