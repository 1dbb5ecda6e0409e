import { changeSteps } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { LooksLikeOther, NotUnique } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { toDisplayText } from '../../kernel/contract/text-rules.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { ConditionFailed, EditConflict } from '../../kernel/table/transaction.ts'
import { retry } from '../../kernel/util/work.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import {
  buildProviderGroupsStep,
  type CompanyAccountRecord,
  findCompanyAccount,
  isCompanyAccountRevoked,
} from './accounts.records.ts'
import type { AnswerContext } from './connection-context.ts'
import { type ConnectionContext, getConnectionTarget } from './connection-context.ts'
import { createConnectionUser, findConsent } from './create-user.ts'
import { bindAccount, matchDirectory, toBoundPerson } from './directory-person.ts'
import { createConnectionError, createNoAccountError } from './errors.ts'
import { findGroupsByName, syncMemberships } from './groups.ts'
import { findLinkable, linkByAddress } from './link-by-address.ts'
import { type Profile, readProfile, toAccountName, toShownName } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { getFirstSignIn, isPublic } from './public-connections.ts'
import { isUsableAddress } from './usable-domains.ts'

export interface ResolvedUser {
  readonly user: UserRecord
  /** The account that led to the user. Undefined if the identity created the user. */
  readonly account: CompanyAccountRecord | undefined
  /** The person whom the directory of the connection sent. Undefined if it sent none. */
  readonly person: ScimUserRecord | undefined
}

/**
 * Finds the user of a proven identity by provider and name. An unknown name is connected to the account with its address, or a
 * user is created if the provider allows that. Synchronizes the user's groups with the identity. Nothing from an identity provider ever makes a user an administrator.
 *
 * `owner` is the first read, if it began before. A repetition reads again.
 *
 * @throws AppError `permission_denied` when the user has no account and none is created
 * @throws AppError `login_incomplete` when the account is not active
 */
export const resolveUser = (
  signIn: AnswerContext,
  identity: ProvenIdentity,
  owner?: Promise<number | undefined>,
): Promise<ResolvedUser> => {
  let firstRead = owner
  const name = toAccountName(signIn.services, signIn.provider, identity)
  const profile = readProfile(identity, signIn.provider)
  const findOrCreate = async (): Promise<ResolvedUser> => {
    const { account, deletedUserId } = await findCompanyAccount(signIn.services.table, name, firstRead)
    firstRead = undefined
    // The user reported it, or their account started anew. Its item is about to be deleted.
    if (account && isCompanyAccountRevoked(account)) throw createNoAccountError(signIn.provider)
    const directory = await matchDirectory(signIn, identity, name, account)
    if (directory?.person?.assigned && (!account || directory.person.assigned.hasDisabledUser)) {
      // Loaded on demand, because this is rare.
      const { returnToAccount } = await import('./returning-person.ts')
      await returnToAccount({ ...signIn, directory }, { identity, name, deletedUserId, account })
      return findOrCreate()
    }
    if (account) {
      const person = await bindAccount(signIn, directory, account)
      return { user: await updateMemberships(signIn, account, profile), account, person }
    }
    const known = { ...signIn, directory }
    const unknown = { identity, name, deletedUserId }
    // An address at a public provider never leads to an account.
    const { isLinked, released } = isPublic(signIn.provider)
      ? notByAddress
      : await linkByAddress(known, { ...unknown, email: profile.email })
    if (isLinked) return findOrCreate()
    const user = await createConnectionUser(known, { ...unknown, profile, released })
    return { user, account, person: toBoundPerson(directory, user.id) }
  }
  return retry(findOrCreate, { attempts: 5, baseMs: 10, capMs: 100, isRetryable: isRace }).catch(
    nameAccountThere(signIn, identity),
  )
}

const notByAddress: Awaited<ReturnType<typeof linkByAddress>> = { isLinked: false }

/** The account at the identity provider as pages show it. */
export const describeAccountThere = ({ provider }: ConnectionContext, identity: ProvenIdentity): string =>
  toDisplayText(toShownName(provider, identity), 100) ?? ''

/** Adds to the error for a user without an account what they recognize their account there by. */
const nameAccountThere =
  (signIn: ConnectionContext, identity: ProvenIdentity) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.details.reason === 'no_account'
      ? new AppError(error.code, {
          ...error.details,
          page: {
            accountThere: describeAccountThere(signIn, identity),
            ...(getFirstSignIn(signIn.provider) === 'invited' && { needsInvitation: 'true' }),
          },
        })
      : error
  }

/**
 * Finds the user whom `resolveUser` would return, and changes nothing. Undefined for a user who would be created. `owner` is the read
 * of who has the name.
 *
 * @throws AppError like `resolveUser` if it would find no user and create none
 */
export const foreseeUser = (
  signIn: ConnectionContext,
  identity: ProvenIdentity,
  owner?: Promise<number | undefined>,
): Promise<UserRecord | undefined> => {
  const { services, provider } = signIn
  const foresee = async (): Promise<UserRecord | undefined> => {
    const name = toAccountName(services, provider, identity)
    const { account } = await findCompanyAccount(services.table, name, owner)
    if (account && isCompanyAccountRevoked(account)) throw createNoAccountError(provider)
    const directory = await matchDirectory(signIn, identity, name, account)
    if (account) return account.user
    if (directory?.person?.assigned) return findAssignedUser(signIn, directory.person)
    const linkable = isPublic(provider)
      ? undefined
      : await findLinkable(signIn, readProfile(identity, provider).email)
    if (!linkable && !(await findConsent({ ...signIn, directory }))) throw createNoAccountError(provider)
    return linkable
  }
  return foresee().catch(nameAccountThere(signIn, identity))
}

const findAssignedUser = async (
  signIn: ConnectionContext,
  person: ScimUserRecord,
): Promise<UserRecord | undefined> =>
  (await import('./returning-person.ts')).requireAssignedUser(signIn, person)

/** Whether another request changed or created the same records concurrently. */
const isRace = (error: unknown): boolean =>
  error instanceof EditConflict ||
  error instanceof NotUnique ||
  error instanceof LooksLikeOther ||
  error instanceof ConditionFailed

const updateMemberships = async (
  signIn: AnswerContext,
  account: CompanyAccountRecord,
  profile: Profile,
): Promise<UserRecord> => {
  const { services, provider, context } = signIn
  if (!isActive(account.user, services.now()))
    throw createConnectionError(
      'login_incomplete',
      provider,
      'account_disabled',
      'Your account here is disabled or has expired. Ask an administrator.',
    )
  const user = await verifyTrustedEmail(signIn, account.user, profile)
  if (!provider.auto_sync_groups || profile.groups === null) return user
  const named = await findGroupsByName(signIn, profile.groups)
  const next = syncMemberships({ groups: user.groups, fromProvider: account.groups }, named.ids)
  if (isSameSet(next.groups, user.groups) && isSameSet(next.fromProvider, account.groups)) return user
  await signIn.use.reserve()
  return editUser(
    services.table,
    user,
    { groups: next.groups },
    {
      extraSteps: [
        buildProviderGroupsStep(account, next.fromProvider),
        ...changeSteps(context, 'user.changed', {
          user: user.id,
          change: toUserChange(user, { groups: next.groups }),
        }),
      ],
      guard: named.guard,
    },
  )
}

/** Compares lists without duplicates, regardless of order. */
const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))

/**
 * Confirms the address of a user if a provider that is trusted for it asserts the same one, and nobody vouches for it yet but a public
 * provider. A provider never changes the address of an existing user. If another account has the address, the user stays as they are.
 */
const verifyTrustedEmail = async (
  { services, provider, context, use }: AnswerContext,
  user: UserRecord,
  { email }: Profile,
): Promise<UserRecord> => {
  const isVouchedFor = hasVerifiedEmail(user) && user.verifiedBy !== 'provider'
  if (email === null || user.email === null || isVouchedFor) return user
  if (normalizeEmail(email) !== user.normalizedEmail || !isUsableAddress(provider, email)) return user
  await use.reserve()
  const target = getConnectionTarget(provider)
  const extraSteps = [auditStep(context, 'email.confirmed', { user: user.id, target })]
  const changes = { ...buildEmailState('company'), emailConfirmation: undefined }
  try {
    const verified = await editUser(services.table, user, changes, { extraSteps })
    await endOtherClaims(services, context, verified)
    return verified
  } catch (error) {
    if (error instanceof NotUnique) return user
    throw error
  }
}
