import { isActive } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { shownAttributes, shownCharacters, shownValues } from '../../kernel/limits/connection-limits.ts'
import type { Services } from '../../services.ts'
import { findCompanyAccount } from './accounts.records.ts'
import type { DiagnosisCheck, DiagnosisSubject } from './diagnosis.models.ts'
import { readProfile, toAccountName } from './profile.ts'
import type { Attribute, ProvenIdentity } from './proven-identity.records.ts'
import { createsUsers } from './public-connections.ts'
import type { Connection } from './records.ts'
import type { ReceivedAttribute } from './rules.models.ts'

/* What test sign-ins show, whatever the protocol of the connection is. */

/** The user whom an identity signs in. Undefined if no user is linked to it. */
export const findLinkedUser = async (
  services: Services,
  provider: Connection,
  identity: ProvenIdentity,
): Promise<UserRecord | undefined> =>
  (await findCompanyAccount(services.table, toAccountName(services, provider, identity))).account?.user

/** Stands in place of a clause of a specification. */
export const ownRules = 'rules of this service'

export const checkAccount = (
  { now }: Services,
  provider: Connection,
  user: UserRecord | undefined,
): DiagnosisCheck => {
  const check = { name: 'account', clause: ownRules } as const
  if (user && isActive(user, now()))
    return {
      ...check,
      outcome: 'held',
      finding: `The response signs in the user ${user.username}.`,
      remedy: null,
    }
  if (user)
    return {
      ...check,
      outcome: 'failed',
      finding: `The user ${user.username} is disabled or has expired.`,
      remedy: 'Enable the user or change the expiry in this service.',
    }
  return createsUsers(provider)
    ? {
        ...check,
        outcome: 'held',
        finding: 'No user is linked to this name yet. A user would be created.',
        remedy: null,
      }
    : {
        ...check,
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
): DiagnosisSubject => {
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
