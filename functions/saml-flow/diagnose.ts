import { isActive } from '../../lib/accounts/common/active-user.ts'
import { buildExpectations } from '../../lib/accounts/saml/expectations.ts'
import { findNamedFlow } from '../../lib/accounts/saml/named-flow.ts'
import { readProfile } from '../../lib/accounts/saml/profile.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { toSamlName } from '../../lib/accounts/saml/saml-name.ts'
import type { SAMLDiagnosisStep, SAMLDiagnosisSubject } from '../../lib/contract/models/saml-diagnosis.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Assertion } from '../../lib/saml/assertion/reading.ts'
import { examine, type StepOutcome } from '../../lib/saml/assertion/receive.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { findSamlAccount } from '../../lib/store/saml/saml-accounts.ts'
import { isAssertionReserved } from '../../lib/store/saml/saml-flows.ts'

/**
 * Tells of a response what the real thing would say of it, step by step, to whoever sets a provider up. Nobody is signed
 * in, nothing is made or used up. It is held against the sign-in that it answers where that was begun here.
 */
export const diagnoseSamlResponse: UseCase<typeof samlFlow.diagnoseSamlResponse> = async (
  { params, body },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const posted = { response: body.saml_response, relayState: body.relay_state ?? '' }
  const flow = (await findNamedFlow(services.table, provider.id, posted))?.flow
  const { outcomes, assertion } = await examine(
    body.saml_response,
    buildExpectations(services, provider, flow),
  )
  const user = assertion && (await userOf(services, provider, assertion))
  const steps = [
    ...outcomes.map(stepBody),
    ...(assertion
      ? [await replayStep(services, provider, assertion), accountStep(services, provider, user)]
      : []),
  ]
  return {
    status: 200,
    body: {
      accepted: steps.every(({ outcome }) => outcome === 'held'),
      steps,
      subject: assertion ? subjectBody(assertion, user) : null,
    },
  }
}

const userOf = async (
  services: Services,
  provider: SamlProviderRecord,
  assertion: Assertion,
): Promise<UserRecord | undefined> =>
  (await findSamlAccount(services.table, toSamlName(services, provider, assertion))).account?.user

const stepBody = ({ step, outcome, finding }: StepOutcome): SAMLDiagnosisStep => ({
  name: step.name,
  clause: step.clause,
  outcome,
  finding:
    finding?.sentence ??
    (outcome === 'held' ? step.holds : 'This could not be looked at: see the step that failed before.'),
  remedy: finding?.remedy ?? null,
})

const ownRules = 'rules of this service'

const replayStep = async (
  { table }: Services,
  provider: SamlProviderRecord,
  { id }: Assertion,
): Promise<SAMLDiagnosisStep> => {
  const wasUsed = await isAssertionReserved(table, provider.id, id)
  return {
    name: 'replay',
    clause: 'Profiles 4.1.4.5',
    outcome: wasUsed ? 'failed' : 'held',
    finding: wasUsed
      ? 'Somebody was signed in by this response already.'
      : 'The assertion was not used before.',
    remedy: wasUsed ? 'That is as it should be: a response counts once.' : null,
  }
}

const accountStep = (
  { now }: Services,
  provider: SamlProviderRecord,
  user: UserRecord | undefined,
): SAMLDiagnosisStep => {
  const step = { name: 'account', clause: ownRules } as const
  if (user && isActive(user, now()))
    return { ...step, outcome: 'held', finding: `It signs in the user ${user.username}.`, remedy: null }
  if (user)
    return {
      ...step,
      outcome: 'failed',
      finding: `The user ${user.username} is disabled or has expired.`,
      remedy: 'Enable the user here.',
    }
  return provider.autoCreateUsers
    ? { ...step, outcome: 'held', finding: 'Nobody has this name yet: a user would be made.', remedy: null }
    : {
        ...step,
        outcome: 'failed',
        finding: 'Nobody here has this name at the provider, and users are not made by themselves.',
        remedy: 'Set auto_create_users, or have the user link its account.',
      }
}

const subjectBody = (assertion: Assertion, user: UserRecord | undefined): SAMLDiagnosisSubject => {
  const { subject } = assertion
  const profile = readProfile(assertion)
  return {
    name_id: subject.nameId,
    name_id_format: subject.nameIdFormat,
    session_index: subject.sessionIndex,
    username: profile.username,
    email: profile.email,
    full_name: profile.fullName,
    groups: profile.groups && [...profile.groups],
    user: user?.id ?? null,
  }
}
