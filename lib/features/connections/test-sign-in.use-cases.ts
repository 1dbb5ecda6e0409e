import { readKnownDevice } from '../../http/device-cookie.ts'
import { createFlowCookie } from '../../http/flow-cookie.ts'
import { toSetupRequest } from '../../http/setup-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { testResultBytes, testResultMs } from '../../kernel/limits/connection-limits.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { consume } from '../access/throttle.ts'
import { toConsoleAddress } from './console-address.ts'
import { SAMLDiagnosis, type SAMLTestResult } from './diagnosis.models.ts'
import { diagnose } from './diagnosis.use-cases.ts'
import type { connectionFlow } from './flow.operations.ts'
import { findTestResult, type SignInFlow, storeTestResult } from './flows.records.ts'
import type { SamlContext } from './saml/saml-context.ts'
import { hasMetadata } from './saml/setup/set-up-provider.ts'
import { requireSetup } from './saml/setup/setup-links.ts'
import { startSignIn } from './saml/start-sign-in.ts'

/**
 * Checks the response of a test sign-in and stores the result for administrators, and for the holder of a set-up link if they
 * started it. No one is signed in. Returns where the browser goes next: the page of the provider in the console, or of the link.
 */
export const completeTest = async (
  { services, provider }: SamlContext,
  response: string,
  flow: SignInFlow,
): Promise<string> => {
  const { config } = services
  await storeTest(services, provider.id, flow.requestId, await diagnose(services, provider, response, flow))
  return flow.isSetupTest
    ? `${config.publicUrl}/setup#test=${flow.requestId}`
    : `${toConsoleAddress(config, provider)}/tests/${flow.requestId}`
}

/** Stores what a test found, under the ID of its sign-in. */
export const storeTest = async (
  { table, now }: Services,
  connectionId: number,
  id: string,
  found: SAMLDiagnosis,
): Promise<void> => {
  const receivedAt = now()
  const result = { receivedAt, diagnosis: encode(found) }
  await storeTestResult(table, connectionId, id, result, receivedAt + testResultMs)
}

/** A provider may send thousands of groups. The steps explain the result without them. */
const encode = (diagnosis: SAMLDiagnosis): string => {
  const text = JSON.stringify(diagnosis)
  return Buffer.byteLength(text) <= testResultBytes ? text : JSON.stringify({ ...diagnosis, subject: null })
}

export const getSamlTestResult: UseCase<typeof connectionFlow.getSamlTestResult> = async (
  { params },
  services,
) => ({ status: 200, body: await readTestResult(services, params.id, params.token) })

/** @throws AppError `not_found` if there is no such result any more */
export const readTestResult = async (
  { table, now }: Services,
  providerId: number,
  id: string,
): Promise<SAMLTestResult> => {
  const result = await findTestResult(table, providerId, id)
  // DynamoDB deletes expired items late.
  if (!result || result.receivedAt + testResultMs <= now())
    throw notFound('result', 'Results of tests are kept for a day. Test the sign-in again.')
  const diagnosis = SAMLDiagnosis.parse(JSON.parse(result.diagnosis))
  return { ...diagnosis, received_at: formatTime(result.receivedAt) }
}

/**
 * Starts a test sign-in for the holder of a set-up link. The token is in the body of a request, so the page sends the browser
 * to the URL of the answer. No one is signed in.
 */
export const startSamlSetupTest: UseCase<typeof connectionFlow.startSamlSetupTest> = async (
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
export const findSamlSetupTest: UseCase<typeof connectionFlow.findSamlSetupTest> = async (
  request,
  services,
) => {
  const { provider } = await requireSetup(services, toSetupRequest(services, request))
  return { status: 200, body: hideUsers(await readTestResult(services, provider.id, request.body.test)) }
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
