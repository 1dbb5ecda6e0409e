import { isPrivileged } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findGroups, type GroupRecord } from '../../accounts/groups/groups.records.ts'
import { findClaimantIds } from '../../accounts/names/address-holders.records.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { normalizeEmail } from '../../accounts/names/names.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { buildSamePermissionsStep } from '../../accounts/users/build-index-steps.records.ts'
import { findUser, findUserIdByEmail, findUsers } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Verifier } from '../../accounts/users/user-fields.models.ts'
import { editUser, editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { buildEndOfWays, connectionRights, limitRights } from '../directory/rights/rights-limit.ts'
import {
  type AccountName,
  buildCompanyAccountSteps,
  buildLinkedByAddressStep,
  findCompanyAccounts,
} from './accounts.records.ts'
import type { AnswerContext } from './connection-context.ts'
import { type ConnectionContext, getConnectionTarget } from './connection-context.ts'
import { buildDirectorySteps } from './directory-person.ts'
import { createNoAccountError } from './errors.ts'
import { toShownName } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { buildSameConnectionStep, type Connection, findConnection } from './records.ts'
import type { ReleasedAddress } from './release-address.ts'
import { isUsableAddress } from './usable-domains.ts'

/** The account that has an address. None of the three may have changed until it is connected. */
interface Holder {
  readonly user: UserRecord
  readonly provider: Connection
  readonly groups: readonly GroupRecord[]
  /** Whether only the address leads to the person, and the account stays with those who use it. */
  readonly keepsAccount: boolean
  /** Whether another account claims the address, too. */
  readonly isClaimed: boolean
}

/**
 * Those whose word connects an account to the person whom its company signs in. A public provider gave its word at the first sign-in there:
 * the address may have another owner today. Nobody else is here either, unless somebody adds them.
 */
const lastingVerifiers: ReadonlySet<Verifier | undefined> = new Set<Verifier | undefined>([
  'administrator',
  'company',
  'import',
  'invitation',
  'link',
])

interface UnknownName {
  readonly identity: ProvenIdentity
  readonly name: AccountName
  /** The deleted user who had this name before. */
  readonly deletedUserId: number | undefined
  /** The asserted address. */
  readonly email: string | null
}

/**
 * Connects an unknown name of a provider to the account here that has its address. The provider must have the domain of
 * the address at this moment, and the address must be verified here. From then on the name leads to the account, and an
 * address never does again. Returns whether it connected them. Otherwise no account has the address, or only the word of a public provider
 * leads to one: then the address is to be released from it.
 *
 * Somebody could have made the account for the person. So all other ways to sign in to it end, unless the connection belongs to an
 * organization: what that gives counts only in the sessions that it opens.
 *
 * If there is any doubt, the sign-in is refused: people then sign in here and connect their account there themselves. The
 * error is that of an unknown address, so it reveals nothing about the account.
 *
 * @throws AppError `permission_denied` if an account has the address, but must not be connected by it
 * @throws EditConflict if something changed in the meantime
 */
export const linkByAddress = async (
  signIn: AnswerContext,
  { identity, name, deletedUserId, email }: UnknownName,
): Promise<{ readonly isLinked: boolean; readonly released?: ReleasedAddress }> => {
  const { services, context, use } = signIn
  const { table, now } = services
  const holder = await findHolderOf(signIn, email)
  if (!holder) return { isLinked: false }
  const { user, provider, groups, keepsAccount } = holder
  if (keepsAccount) return { isLinked: false, released: holder }
  await use.reserve()
  const refuse = () => createNoAccountError(provider)
  const isOfOrganization = provider.organization_id !== null
  const ending = isOfOrganization ? undefined : buildEndOfWays(services, user)
  // What is added from now on works.
  const linkedAt = ending ? ending.period.to + 1 : now()
  const edit = ending ? editUserEndingSessions : editUser
  const edited = await edit(
    table,
    user,
    // What a connection of an organization opens has no rights elsewhere, so the account keeps its own.
    ending
      ? {
          ...ending.changes,
          ...buildEmailState('company'),
          rightsLimit: limitRights(user.rightsLimit, connectionRights, { nowMs: linkedAt, setsEmail: false }),
        }
      : {},
    {
      extraSteps: [
        ...buildCompanyAccountSteps(name, {
          userId: user.id,
          groups: [],
          deletedUserId,
          linkedAt,
          ...(isOfOrganization && { isLinkedByAddress: true as const }),
          shownName: toShownName(provider, identity),
          orElse: () => new EditConflict(),
        }),
        ...buildDirectorySteps(signIn, user.id, { isMade: false }),
        buildLinkedByAddressStep(user.id, provider.id, refuse),
        buildSameConnectionStep(provider),
        ...groups.map(buildSamePermissionsStep),
        auditStep(context, 'company_account.linked', {
          user: user.id,
          target: `${getConnectionTarget(provider)} address`,
        }),
        ...(ending ? [auditStep(context, 'user.started_anew', { user: user.id })] : []),
        ...buildSecurityNoticeStep(services, context, user, {
          kind: ending ? 'sign_in_by_company' : 'company_account_linked',
        }),
      ],
    },
  )
  if (ending) {
    const { tryRemoveRevokedCredentials } = await import('../leaked-credentials/remove-revoked.ts')
    await tryRemoveRevokedCredentials(services, edited, context)
  }
  return { isLinked: true }
}

/** The user whom `linkByAddress` would connect to a name with this address. It changes nothing. */
export const findLinkable = async (
  signIn: ConnectionContext,
  email: string | null,
): Promise<UserRecord | undefined> => {
  const holder = await findHolderOf(signIn, email)
  return holder?.keepsAccount ? undefined : holder?.user
}

/** Whether an account has an address that `linkByAddress` would take from it or connect. @throws AppError like `linkByAddress` */
export const isHeld = async (signIn: ConnectionContext, email: string): Promise<boolean> =>
  (await findHolderOf(signIn, email)) !== undefined

const findHolderOf = async (signIn: ConnectionContext, email: string | null): Promise<Holder | undefined> => {
  const { table, now } = signIn.services
  if (email === null) return undefined
  const { user, isClaimed } = await findHolder(signIn, email)
  if (!user) return undefined
  const [provider, groups, accounts] = await Promise.all([
    findConnection(table, signIn.provider.id),
    findGroups(table, user.groups),
    findCompanyAccounts(table, user),
  ])
  const isLinkable =
    provider !== undefined &&
    isUsableAddress(provider, email) &&
    isActive(user, now()) &&
    !hasRights(user, groups) &&
    accounts.every(({ providerId }) => providerId !== provider.id)
  if (!isLinkable) throw createNoAccountError(signIn.provider)
  return { user, provider, groups, isClaimed, keepsAccount: !lastingVerifiers.has(user.verifiedBy) }
}

/** Groups of a user that one transaction can check. */
const checkedGroups = 50

/** Whether the user decides about others, or is in too many groups to be sure that they don't. */
const hasRights = (user: UserRecord, groups: readonly GroupRecord[]): boolean =>
  groups.length > checkedGroups || [user, ...groups].some(({ permissions }) => permissions.some(isPrivileged))

const claimantsRead = 10

/**
 * Finds the account with a verified address. Guests do not count: they give way to accounts.
 *
 * @throws AppError `permission_denied` if no account has it, and another one only claims the address. What identity providers claim does not
 * count, because it could keep others from their address.
 */
const findHolder = async (
  { services: { table }, provider }: ConnectionContext,
  email: string,
): Promise<{ readonly user?: UserRecord; readonly isClaimed: boolean }> => {
  const normalized = normalizeEmail(email)
  const [holderId, claimantIds] = await Promise.all([
    findUserIdByEmail(table, normalized),
    findClaimantIds(table, normalized, claimantsRead),
  ])
  // User ID 0 never exists. Looking it up keeps the response time the same for unknown addresses.
  const [holder, claimants] = await Promise.all([
    findUser(table, holderId ?? 0),
    findUsers(table, claimantIds),
  ])
  const hasAddress = (user: UserRecord) => user.normalizedEmail === normalized && !isGuestUser(user)
  const isClaimed = claimants.some((user) => user && hasAddress(user) && !user.isEmailFromProvider)
  if (holder && hasAddress(holder) && hasVerifiedEmail(holder)) return { user: holder, isClaimed }
  if (isClaimed) throw createNoAccountError(provider)
  return { isClaimed }
}
