import type { AppError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { auditStep } from '../audit/write-event.ts'
import { buildCompanyAccountSteps, findCompanyAccount } from '../connections/accounts.records.ts'
import type { AnswerContext } from '../connections/connection-context.ts'
import { getConnectionTarget } from '../connections/connection-context.ts'
import { findDomainProviderId } from '../connections/domains.records.ts'
import { createConnectionError } from '../connections/errors.ts'
import type { SignInFlow } from '../connections/flows.records.ts'
import { readProfile, toAccountName, toShownName } from '../connections/profile.ts'
import type { ProvenIdentity } from '../connections/proven-identity.records.ts'
import { type Connection, findConnection } from '../connections/records.ts'
import { getMailDomain, isUsableAddress } from '../connections/usable-domains.ts'
import { normalizeEmail } from '../directory/names.ts'
import { endOtherClaims } from '../directory/other-claims.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { editUser } from '../directory/users.records.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { isRequiredFor, requireNoProvider } from '../sign-in/required-sign-in.ts'
import { buildAcceptedFields, retryAcceptance } from './accept.ts'
import { findInvitation } from './find-invitation.ts'
import { canChoosePassword } from './invitation-state.ts'

/**
 * Accepts an invitation with the account of a proven identity, which then belongs to the invited user. It takes both proofs: the
 * browser had the link of the invitation, and a provider that is trusted for the address asserts the same address. An
 * address alone never leads to an account.
 *
 * @throws AppError `login_failed` when the invitation ended
 * @throws AppError `permission_denied` when the provider asserts another address
 * @throws AppError `conflict` when the account belongs to another user
 */
export const acceptByConnection = async (
  signIn: AnswerContext,
  identity: ProvenIdentity,
  { userId, hash }: NonNullable<SignInFlow['invitation']>,
): Promise<void> => {
  const { services, provider, context } = signIn
  const { table, now } = services
  const name = toAccountName(services, provider, identity)
  const { email } = readProfile(identity, provider)
  const accepted = await retryAcceptance(async () => {
    const found = await findInvitation(services, userId, hash)
    if (!found) throw createEndedError(provider)
    const isSameAddress =
      email !== null &&
      isUsableAddress(provider, email) &&
      normalizeEmail(email) === found.user.normalizedEmail
    if (!isSameAddress) throw createMismatchError(provider)
    const { account, deletedUserId } = await findCompanyAccount(table, name)
    if (account && account.user.id !== userId) throw createTakenError(provider)
    await signIn.use.reserve()
    const target = getConnectionTarget(provider)
    const details = { user: userId, actor: userId, target }
    const linkSteps = account
      ? []
      : [
          ...buildCompanyAccountSteps(name, {
            userId,
            groups: [],
            linkedAt: now(),
            deletedUserId,
            shownName: toShownName(provider, identity),
            orElse: () => new EditConflict(),
          }),
          auditStep(context, 'saml_account.linked', details),
        ]
    return editUser(table, found.user, buildAcceptedFields(services, found), {
      extraSteps: [...linkSteps, auditStep(context, 'invitation.accepted', details)],
    })
  })
  await endOtherClaims(services, context, accepted)
}

const createEndedError = (provider: Connection): AppError =>
  createConnectionError(
    'login_failed',
    provider,
    'invitation_ended',
    'The invitation was used, was withdrawn, or has expired. Ask the person who invited you for a new one.',
  )

const createMismatchError = (provider: Connection): AppError =>
  createConnectionError(
    'permission_denied',
    provider,
    'invitation_mismatch',
    'Your account there has another email address than the one that was invited. Sign in there with that address.',
  )

const createTakenError = (provider: Connection): AppError =>
  createConnectionError(
    'conflict',
    provider,
    'account_taken',
    'Your account there belongs to another user here. Sign in with it, or ask an administrator.',
  )

/** How an invited user may choose to sign in. */
interface InvitedWays {
  readonly allowsPassword: boolean
  readonly allowsPasskey: boolean
  readonly connection: Connection | undefined
}

/**
 * Finds the ways to accept an invitation. The company connection is the one that an administrator trusts for the domain of the address,
 * of either kind. If the company requires it, it is the only way. One that is hidden on pages is offered only to those without
 * another way.
 */
export const findInvitedWays = async (services: Services, user: UserRecord): Promise<InvitedWays> => {
  const connection = await findConnectionOfAddress(services, user)
  // The link proves the address, which is not confirmed yet.
  if (connection && isRequiredFor(connection, user))
    return { allowsPassword: false, allowsPasskey: false, connection }
  const [allowsPassword, allowsPasskey] = [canChoosePassword(user), canHavePasskeys(user)]
  const isOffered = !connection?.disabled_in_client || !(allowsPassword || allowsPasskey)
  return { allowsPassword, allowsPasskey, connection: isOffered ? connection : undefined }
}

const findConnectionOfAddress = async (
  { table }: Services,
  { email }: Pick<UserRecord, 'email'>,
): Promise<Connection | undefined> => {
  const domain = email === null ? undefined : getMailDomain(email)
  const id = domain === undefined ? undefined : await findDomainProviderId(table, domain)
  const connection = id === undefined ? undefined : await findConnection(table, id)
  return connection && email !== null && isUsableAddress(connection, email) ? connection : undefined
}

/** The address where an invitation is accepted with a connection of either kind. Their IDs are from one sequence. */
export const getAcceptUrl = ({ publicUrl }: Config, { id }: Pick<Connection, 'id'>): string =>
  `${publicUrl}/api/2/auth/saml/${id}/invitation`

/** The link proves the address, which waits for a confirmation until the invitation is accepted. */
export const requireNoProviderForInvited = (
  services: Services,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
  policy: StoredSignInPolicy | undefined,
): Promise<void> => requireNoProvider(services, policy, { id, email }, 'permission_denied')
