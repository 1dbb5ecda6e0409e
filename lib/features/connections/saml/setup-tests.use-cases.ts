import { consume } from '../../../accounts/callers/throttle.ts'
import { readKnownDevice } from '../../../http/device-cookie.ts'
import { createFlowCookie } from '../../../http/flow-cookie.ts'
import { toSetupRequest } from '../../../http/setup-cookie.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError } from '../../../kernel/errors/errors.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { ConnectionTestResult } from '../diagnosis.models.ts'
import { readTestResult } from '../test-results.use-cases.ts'
import type { samlAnswer } from './flow.operations.ts'
import { hasMetadata } from './setup/set-up-provider.ts'
import { requireSetup } from './setup/setup-links.ts'
import { startSamlSignIn } from './start-sign-in.ts'

/**
 * Starts a test sign-in for the holder of a set-up link. The token is in the body of a request, so the page sends the browser
 * to the URL of the answer. No one is signed in.
 */
export const startSamlSetupTest: UseCase<typeof samlAnswer.startSamlSetupTest> = async (
  request,
  services,
) => {
  const { cookies, context, isFromOwnOrigin } = request
  if (!isFromOwnOrigin)
    throw new AppError('permission_denied', { detail: 'A test must start on a page of this service.' })
  const { provider } = await requireSetup(services, toSetupRequest(services, request))
  await consume(services, 'samlStarts', getNetwork(context.address))
  if (!hasMetadata(provider))
    throw new AppError('conflict', { reason: 'setup_incomplete', detail: 'Send the metadata first.' })
  const { value, cookie } = createFlowCookie(services.config, cookies)
  const url = await startSamlSignIn(services, provider, value, {
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
export const findSamlSetupTest: UseCase<typeof samlAnswer.findSamlSetupTest> = async (request, services) => {
  const { provider } = await requireSetup(services, toSetupRequest(services, request))
  return { status: 200, body: hideUsers(await readTestResult(services, provider.id, request.body.test)) }
}

/** Whether the person has an account is known to administrators only. */
const hideUsers = (result: ConnectionTestResult): ConnectionTestResult => {
  const steps = result.steps.filter(({ name }) => name !== 'account')
  return {
    ...result,
    accepted: steps.every(({ outcome }) => outcome === 'held'),
    steps,
    subject: result.subject && { ...result.subject, user: null },
  }
}
