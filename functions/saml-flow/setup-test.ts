import { consume } from '../../lib/accounts/common/throttle.ts'
import { startSignIn } from '../../lib/accounts/saml/start-sign-in.ts'
import { hasMetadata } from '../../lib/accounts/saml-setup/set-up-provider.ts'
import { requireSetup } from '../../lib/accounts/saml-setup/setup-links.ts'
import type { SAMLTestResult } from '../../lib/contract/models/saml-diagnosis.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { AppError } from '../../lib/errors/errors.ts'
import { createFlowCookie } from '../../lib/http/flow-cookie.ts'
import { readKnownDevice } from '../../lib/http/request-context.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { getNetwork } from '../../lib/util/network.ts'
import { readTestResult } from './test-sign-in.ts'

/**
 * Starts a test sign-in for the holder of a set-up link. The token is in the body of a request, so the page sends the browser
 * to the URL of the answer. No one is signed in.
 */
export const startSamlSetupTest: UseCase<typeof samlFlow.startSamlSetupTest> = async (
  { body, cookies, context, isFromOwnOrigin },
  services,
) => {
  if (!isFromOwnOrigin)
    throw new AppError('permission_denied', { detail: 'A test must start on a page of this service.' })
  const { provider } = await requireSetup(services, context, body.token)
  await consume(services, 'samlStarts', getNetwork(context.address))
  if (!hasMetadata(provider))
    throw new AppError('conflict', { reason: 'setup_incomplete', detail: 'Send the metadata first.' })
  const { value, cookie } = createFlowCookie(services.config, cookies)
  const url = await startSignIn(services, provider, value, {
    returnTo: null,
    forceAuthn: false,
    linkTo: undefined,
    device: readKnownDevice(services.config, cookies),
    isTest: true,
    isSetupTest: true,
  })
  return { status: 200, body: { url }, cookies: [cookie] }
}

/** Shows the holder of a link what a test sign-in found: what the provider sent, and nothing of users here. */
export const findSamlSetupTest: UseCase<typeof samlFlow.findSamlSetupTest> = async (
  { body, context },
  services,
) => {
  const { provider } = await requireSetup(services, context, body.token)
  return { status: 200, body: hideUsers(await readTestResult(services, provider.id, body.test)) }
}

/** Whether the person has an account is known to administrators only. */
const hideUsers = (result: SAMLTestResult): SAMLTestResult => {
  const steps = result.steps.filter(({ name }) => name !== 'account')
  return {
    ...result,
    accepted: steps.every(({ outcome }) => outcome === 'held'),
    steps,
    subject: result.subject && { ...result.subject, user: null },
  }
}
