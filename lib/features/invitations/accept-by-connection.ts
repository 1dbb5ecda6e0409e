import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findUserIdsByEmail } from '../../accounts/names/address-holders.records.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { canChoosePassword, getOpenInvitation } from '../../accounts/users/invitation-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { signInProvidersMax } from '../../kernel/contract/page-data.ts'
import type { AppError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildCompanyAccountSteps, findCompanyAccount } from '../connections/accounts.records.ts'
import type { AnswerContext, ConnectionContext } from '../connections/connection-context.ts'
import { getConnectionTarget } from '../connections/connection-context.ts'
import { findDomainProviderId } from '../connections/domains.records.ts'
import { createConnectionError, createNoAccountError } from '../connections/errors.ts'
import type { SignInFlow } from '../connections/flows.records.ts'
import { readPageEntries } from '../connections/page-entries.records.ts'
import { type Profile, readProfile, toAccountName, toShownName } from '../connections/profile.ts'
import { provePublicSignIn } from '../connections/prove-sign-in.ts'
import type { ProvenIdentity } from '../connections/proven-identity.records.ts'
import { getFirstSignIn, isPublic } from '../connections/public-connections.ts'
import { type Connection, findConnection } from '../connections/records.ts'
import { getMailDomain, isUsableAddress } from '../connections/usable-domains.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { isRequiredFor, requireNoProvider } from '../sign-in/required-sign-in.ts'
import { buildAcceptedFields, retryAcceptance } from './accept.ts'
import { findInvitation } from './find-invitation.ts'

/**
 * Accepts an invitation with the account of a proven identity, which then belongs to the invited user. It takes both proofs: the
 * browser had the link of the invitation, and a provider that is trusted for the address asserts the same address. An
 * address alone never leads to an account.
 *
 * For a public provider, one of them is enough, as for a first password: the link, or a provider that is the authority for the
 * address, so that no one else gets the link. See `findInvitationOfAddress`.
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
  const profile = readProfile(identity, provider)
  const { email } = profile
  const accepted = await retryAcceptance(async () => {
    const found = await findInvitation(services, userId, hash)
    if (!found) throw createEndedError(provider)
    if (isPublic(provider)) await requirePublicAcceptance(signIn, found.user, profile)
    else {
      const isSameAddress =
        email !== null &&
        isUsableAddress(provider, email) &&
        normalizeEmail(email) === found.user.normalizedEmail
      if (!isSameAddress) throw createMismatchError(provider)
    }
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
            refreshToken: identity.refreshToken,
            orElse: () => new EditConflict(),
          }),
          auditStep(context, 'company_account.linked', details),
        ]
    return editUser(table, found.user, buildAcceptedFields(services, found), {
      extraSteps: [...linkSteps, auditStep(context, 'invitation.accepted', details)],
    })
  })
  await endOtherClaims(services, context, accepted)
}

/**
 * Refuses a public provider to someone who could not choose a password either, whose company requires its own sign-in, or who needs a
 * second factor. So the invitation stays for a way that they can use.
 */
const requirePublicAcceptance = async (
  { services, provider, context }: AnswerContext,
  user: UserRecord,
  profile: Profile,
): Promise<void> => {
  if (!canChoosePassword(user)) throw createNoAccountError(provider)
  await provePublicSignIn(services, context, { provider, user, profile, otp: undefined })
}

/** Invitations of one address that are tried. */
const invitationsRead = 10

/**
 * Finds the open invitation of an address that a public provider is the authority for, if the connection lets the invited in. The owner of
 * the mailbox could open its link as well.
 */
export const findInvitationOfAddress = async (
  { services, provider }: ConnectionContext,
  identity: ProvenIdentity,
): Promise<SignInFlow['invitation']> => {
  const { email } = readProfile(identity, provider)
  if (getFirstSignIn(provider) !== 'invited' || identity.isAddressProven !== true || email === null)
    return undefined
  const ids = await findUserIdsByEmail(services.table, normalizeEmail(email))
  for (const user of await findUsers(services.table, ids.slice(0, invitationsRead))) {
    const hash = user && getOpenInvitation(user)?.hash
    if (user && hash !== undefined && (await findInvitation(services, user.id, hash)))
      return { userId: user.id, hash }
  }
  return undefined
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
  /** The connection of the company first, then those to public providers. */
  readonly connections: readonly Pick<Connection, 'id' | 'name'>[]
}

/**
 * Finds the ways to accept an invitation. The company connection is the one that an administrator trusts for the domain of the address,
 * of either kind. If the company requires it, it is the only way. One that is hidden on pages is offered only to those without
 * another way. Public providers are a first factor like a password.
 */
export const findInvitedWays = async (services: Services, user: UserRecord): Promise<InvitedWays> => {
  const connection = await findConnectionOfAddress(services, user)
  // The link proves the address, which is not confirmed yet.
  if (connection && isRequiredFor(connection, user))
    return { allowsPassword: false, allowsPasskey: false, connections: [connection] }
  const policy = await findSignInPolicy(services.table)
  const allowsPassword = canChoosePassword(user) && !requiresFirstPasskey(policy, user)
  const allowsPasskey = canHavePasskeys(user)
  const isOffered = !connection?.disabled_in_client || !(allowsPassword || allowsPasskey)
  return {
    allowsPassword,
    allowsPasskey,
    connections: [
      ...(isOffered && connection ? [connection] : []),
      ...(allowsPassword ? await findPublicWays(services, user) : []),
    ],
  }
}

/** The public providers on the sign-in page, for those who need no second factor. */
const findPublicWays = async ({ table }: Services, user: UserRecord) => {
  const { entries } = await readPageEntries(table, signInProvidersMax)
  const ways = entries.filter(({ preset }) => preset !== undefined)
  const isRefused = ways.length > 0 && (await getEffectivePermissions(table, user)).some(isPrivileged)
  return isRefused ? [] : ways
}

/** Whether an invited user starts with a passkey, because the policy accepts nothing else. */
export const requiresFirstPasskey = (policy: StoredSignInPolicy | undefined, user: UserRecord): boolean =>
  policy?.policy.passkeys_only === true && canHavePasskeys(user)

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
  `${publicUrl}/api/2/auth/connections/${id}/invitation`

/** The link proves the address, which waits for a confirmation until the invitation is accepted. */
export const requireNoProviderForInvited = (
  services: Services,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
  policy: StoredSignInPolicy | undefined,
): Promise<void> => requireNoProvider(services, policy, { id, email }, 'permission_denied')
