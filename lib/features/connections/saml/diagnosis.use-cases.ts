import type { UseCase } from '../../../http/use-case.ts'
import type { Services } from '../../../services.ts'
import type { DiagnosisCheck, SignInDiagnosis } from '../diagnosis.models.ts'
import { checkAccount, findLinkedUser, toSubjectBody } from '../diagnosis.ts'
import { findFlow, type SignInFlow } from '../flows.records.ts'
import type { ProvenIdentity } from '../proven-identity.records.ts'
import { type CheckOutcome, diagnoseResponse } from './assertion/validate-response.ts'
import { isAssertionReserved } from './assertion-uses.records.ts'
import { buildExpectations, nameFlow } from './expected-response.ts'
import type { samlAnswer } from './flow.operations.ts'
import type { SamlConnection } from './records.ts'
import { requireProvider } from './saml-context.ts'

/**
 * Shows administrators how a SAML response would be validated. If the response belongs to a sign-in that started here, it is
 * checked against that sign-in.
 */
export const diagnoseSamlResponse: UseCase<typeof samlAnswer.diagnoseSamlResponse> = async (
  { params, body },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const posted = { response: body.saml_response, relayState: body.relay_state ?? '' }
  const name = nameFlow(posted)
  const flow = name === undefined ? undefined : await findFlow(services.table, provider.id, name)
  return { status: 200, body: await diagnose(services, provider, body.saml_response, flow) }
}

/**
 * Shows for each check how a SAML response would be validated. No user is signed in, and nothing is created or used. `flow` is
 * the sign-in that the response answers, if that is known.
 */
export const diagnose = async (
  services: Services,
  provider: SamlConnection,
  response: string,
  flow: SignInFlow | undefined,
): Promise<SignInDiagnosis> => {
  const { outcomes, assertion: identity } = await diagnoseResponse(
    response,
    buildExpectations(services, provider, flow),
  )
  const user = identity && (await findLinkedUser(services, provider, identity))
  const steps = [
    ...outcomes.map(toCheckBody),
    ...(identity
      ? [await checkReplay(services, provider, identity), checkAccount(services, provider, user)]
      : []),
  ]
  return {
    accepted: steps.every(({ outcome }) => outcome === 'held'),
    steps,
    subject: identity ? toSubjectBody(provider, identity, user) : null,
  }
}

const toCheckBody = ({ check, outcome, finding }: CheckOutcome): DiagnosisCheck => ({
  name: check.name,
  clause: check.clause,
  outcome,
  finding:
    finding?.problem ??
    (outcome === 'held' ? check.statement : 'Not checked, because an earlier check failed.'),
  remedy: finding?.remedy ?? null,
})

const checkReplay = async (
  { table }: Services,
  provider: SamlConnection,
  { id }: ProvenIdentity,
): Promise<DiagnosisCheck> => {
  const wasUsed = await isAssertionReserved(table, provider.id, id)
  return {
    name: 'replay',
    clause: 'Profiles 4.1.4.5',
    outcome: wasUsed ? 'failed' : 'held',
    finding: wasUsed
      ? 'The response was already used for a sign-in.'
      : 'The identity has not been used before.',
    remedy: wasUsed ? 'This is expected. Each response can be used once. Sign in again for a new one.' : null,
  }
}
