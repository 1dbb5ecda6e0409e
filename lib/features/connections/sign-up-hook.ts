import { toDisplayText } from '../../kernel/contract/text-rules.ts'
import { describeOrganization } from '../hooks/hook-input.ts'
import { askBeforeSignUp } from '../invitations/sign-up-hook.ts'
import { readOrganizations } from '../organizations/records.ts'
import { type AccountName, hashAccountName } from './accounts.records.ts'
import { findVerifier, isUsableEmail } from './asserted-address.ts'
import type { AnswerContext } from './connection-context.ts'
import { nameLength, type Profile } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { isPublic } from './public-connections.ts'

/* Load this file on demand, where `services.config.hooks` has `beforeSignUp`. */

/** An identity that has no account here yet. */
interface FirstSignIn {
  readonly identity: ProvenIdentity
  readonly name: AccountName
  readonly profile: Profile
}

/** What the account gets besides what its template gives. */
interface GivenToAccount {
  readonly groups: readonly number[]
  readonly fields: { readonly attributes: string }
}

/**
 * Asks the hook `beforeSignUp` about a person whom a provider signs in for the first time. Nothing was written yet, and the answer of the
 * provider was not used up.
 *
 * @throws AppError like `askBeforeSignUp`
 */
export const askAboutIdentity = async (
  { services, provider, context }: AnswerContext,
  { identity, name, profile }: FirstSignIn,
): Promise<GivenToAccount> => {
  const email = profile.email !== null && isUsableEmail(profile.email) ? profile.email : null
  const ids = provider.organization_id === null ? [] : [provider.organization_id]
  const [organization] = await readOrganizations(services.table, ids)
  const { groups, attributes } = await askBeforeSignUp(services, context, {
    way: isPublic(provider) ? 'provider' : 'company',
    proof: hashAccountName(name),
    account: {
      username: profile.username,
      name: profile.fullName === null ? null : toDisplayText(profile.fullName, nameLength),
      email,
      email_verified: email !== null && findVerifier(provider, identity, email) !== undefined,
      language: null,
    },
    connection: { id: String(provider.id), name: provider.name },
    organization: organization && describeOrganization(organization),
  })
  return { groups: groups.map(({ id }) => id), fields: { attributes } }
}
