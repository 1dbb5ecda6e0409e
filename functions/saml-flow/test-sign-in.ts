import type { SamlContext } from '../../lib/accounts/saml/saml-context.ts'
import { startSignIn } from '../../lib/accounts/saml/start-sign-in.ts'
import { hasMetadata } from '../../lib/accounts/saml-setup/set-up-provider.ts'
import { requireSetup } from '../../lib/accounts/saml-setup/setup-links.ts'
import { SAMLDiagnosis, type SAMLTestResult } from '../../lib/contract/models/saml-diagnosis.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { consume } from '../../lib/features/access/throttle.ts'
import { createFlowCookie } from '../../lib/http/flow-cookie.ts'
import { readKnownDevice } from '../../lib/http/request-context.ts'
import { toSetupRequest } from '../../lib/http/setup-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import { samlTestResultBytes, samlTestResultMs } from '../../lib/kernel/limits/saml-limits.ts'
import { getNetwork } from '../../lib/kernel/util/network.ts'
import { formatTime } from '../../lib/kernel/util/time.ts'
import type { Services } from '../../lib/services.ts'
import { findTestResult, type SamlFlow, storeTestResult } from '../../lib/store/saml/saml-flows.ts'
import { diagnose } from './diagnosis.ts'

/**
 * Checks the response of a test sign-in and stores the result for administrators, and for the holder of a set-up link if they
 * started it. No one is signed in. Returns where the browser goes next: the page of the provider in the console, or of the link.
 */
export const completeTest = async (
  { services, provider }: SamlContext,
  response: string,
  flow: SamlFlow,
): Promise<string> => {
  const { config } = services
  await storeTest(services, provider.id, flow.requestId, await diagnose(services, provider, response, flow))
  return flow.isSetupTest
    ? `${config.publicUrl}/setup#test=${flow.requestId}`
    : `${config.publicUrl}/admin#/saml-providers/${provider.id}/tests/${flow.requestId}`
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
  await storeTestResult(table, connectionId, id, result, receivedAt + samlTestResultMs)
}

/** A provider may send thousands of groups. The steps explain the result without them. */
const encode = (diagnosis: SAMLDiagnosis): string => {
  const text = JSON.stringify(diagnosis)
  return Buffer.byteLength(text) <= samlTestResultBytes
    ? text
    : JSON.stringify({ ...diagnosis, subject: null })
}

export const getSamlTestResult: UseCase<typeof samlFlow.getSamlTestResult> = async (
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
  if (!result || result.receivedAt + samlTestResultMs <= now()) throw new AppError('not_found')
  const diagnosis = SAMLDiagnosis.parse(JSON.parse(result.diagnosis))
  return { ...diagnosis, received_at: formatTime(result.receivedAt) }
}

/**
 * Starts a test sign-in for the holder of a set-up link. The token is in the body of a request, so the page sends the browser
 * to the URL of the answer. No one is signed in.
 */
export const startSamlSetupTest: UseCase<typeof samlFlow.startSamlSetupTest> = async (request, services) => {
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
export const findSamlSetupTest: UseCase<typeof samlFlow.findSamlSetupTest> = async (request, services) => {
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
