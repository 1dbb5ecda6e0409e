import type { UseCase } from '../../http/use-case.ts'
import { shownAttributes, shownCharacters, shownValues } from '../../kernel/limits/connection-limits.ts'
import type { Services } from '../../services.ts'
import { isActive } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { findCompanyAccount } from './accounts.records.ts'
import type { SAMLDiagnosis, SAMLDiagnosisStep, SAMLDiagnosisSubject } from './diagnosis.models.ts'
import type { connectionFlow } from './flow.operations.ts'
import { isAssertionReserved, type SignInFlow } from './flows.records.ts'
import { readProfile, toAccountName } from './profile.ts'
import type { Attribute, ProvenIdentity } from './proven-identity.records.ts'
import type { Connection } from './records.ts'
import type { ReceivedAttribute } from './rules.models.ts'
import { diagnoseResponse, type StepOutcome } from './saml/assertion/validate-response.ts'
import { buildExpectations, findNamedFlow } from './saml/expected-response.ts'
import type { SamlConnection } from './saml/records.ts'
import { requireProvider } from './saml/saml-context.ts'

/**
 * Shows administrators how a SAML response would be validated. If the response belongs to a sign-in that started here, it is
 * checked against that sign-in.
 */
export const diagnoseSamlResponse: UseCase<typeof connectionFlow.diagnoseSamlResponse> = async (
  { params, body },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const posted = { response: body.saml_response, relayState: body.relay_state ?? '' }
  const flow = (await findNamedFlow(services.table, provider.id, posted))?.flow
  return { status: 200, body: await diagnose(services, provider, body.saml_response, flow) }
}

/**
 * Checks step by step how a SAML response would be validated. No user is signed in, and nothing is created or used. `flow` is
 * the sign-in that the response answers, if that is known.
 */
export const diagnose = async (
  services: Services,
  provider: SamlConnection,
  response: string,
  flow: SignInFlow | undefined,
): Promise<SAMLDiagnosis> => {
  const { outcomes, assertion: identity } = await diagnoseResponse(
    response,
    buildExpectations(services, provider, flow),
  )
  const user = identity && (await findLinkedUser(services, provider, identity))
  const steps = [
    ...outcomes.map(toStepBody),
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

export const findLinkedUser = async (
  services: Services,
  provider: Connection,
  identity: ProvenIdentity,
): Promise<UserRecord | undefined> =>
  (await findCompanyAccount(services.table, toAccountName(services, provider, identity))).account?.user

const toStepBody = ({ step, outcome, finding }: StepOutcome): SAMLDiagnosisStep => ({
  name: step.name,
  clause: step.clause,
  outcome,
  finding:
    finding?.problem ??
    (outcome === 'held' ? step.statement : 'Not checked, because an earlier step failed.'),
  remedy: finding?.remedy ?? null,
})

const ownRules = 'rules of this service'

const checkReplay = async (
  { table }: Services,
  provider: SamlConnection,
  { id }: ProvenIdentity,
): Promise<SAMLDiagnosisStep> => {
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

export const checkAccount = (
  { now }: Services,
  provider: Connection,
  user: UserRecord | undefined,
): SAMLDiagnosisStep => {
  const step = { name: 'account', clause: ownRules } as const
  if (user && isActive(user, now()))
    return {
      ...step,
      outcome: 'held',
      finding: `The response signs in the user ${user.username}.`,
      remedy: null,
    }
  if (user)
    return {
      ...step,
      outcome: 'failed',
      finding: `The user ${user.username} is disabled or has expired.`,
      remedy: 'Enable the user or change the expiry in this service.',
    }
  return provider.auto_create_users
    ? {
        ...step,
        outcome: 'held',
        finding: 'No user is linked to this name yet. A user would be created.',
        remedy: null,
      }
    : {
        ...step,
        outcome: 'failed',
        finding: 'No user is linked to this name, and the provider does not create users automatically.',
        remedy: 'Set `auto_create_users`, or ask the user to link their account.',
      }
}

/** `read` has the attributes that the profile is read from, if they are not those that were sent. */
export const toSubjectBody = (
  provider: Connection,
  identity: ProvenIdentity,
  user: UserRecord | undefined,
  read: ProvenIdentity = identity,
): SAMLDiagnosisSubject => {
  const { subject } = identity
  const profile = readProfile(read, provider)
  return {
    name_id: subject.nameId,
    name_id_format: subject.nameIdFormat,
    session_index: subject.sessionIndex,
    username: profile.username,
    email: profile.email,
    full_name: profile.fullName,
    groups: profile.groups && [...profile.groups],
    user: user?.id ?? null,
    authn_contexts: [...identity.authnContexts],
    attributes: identity.attributes.slice(0, shownAttributes).map(toReceivedAttribute),
  }
}

const toReceivedAttribute = ({ name, friendlyName, values }: Attribute): ReceivedAttribute => {
  const shown = values.slice(0, shownValues).map((value) => value.slice(0, shownCharacters))
  return {
    name: (friendlyName ?? name).slice(0, shownCharacters),
    values: shown,
    is_cut: shown.length < values.length || shown.some((value, at) => value !== values[at]),
  }
}
