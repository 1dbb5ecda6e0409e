import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { requiresPasskey } from '../../accounts/users/account-state.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import { findCompanyAccounts, isCompanyAccountRevoked } from '../connections/accounts.records.ts'
import { isPublic } from '../connections/public-connections.ts'
import { type Connection, readConnections } from '../connections/records.ts'
import { isUsableAddress } from '../connections/usable-domains.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import { countRemovedPasskeys, findPasskeys, type PasskeyRecord } from '../passkeys/records.ts'
import { findSetupDeadline } from '../second-factor/policy.ts'
import { canUseEmailCode } from './email-codes.ts'
import { findSignInPolicy, type StoredSignInPolicy } from './policy.records.ts'
import { findProviderOfSignIn } from './required-sign-in.ts'
import type { SignInWay, SignInWayKind, SignInWayToAdd } from './ways.models.ts'

/*
 * The one list of the ways that a user can sign in, under the policy and with their rights. Everything that takes a way from a user
 * asks it: what people remove themselves must leave one, and administrators see before what they leave. A way that exists but is
 * refused at its door is in the list with its obstacle.
 */

/** What the user signs in with. */
export interface SignInState {
  readonly user: UserRecord
  readonly policy: StoredSignInPolicy | undefined
  readonly passkeys: readonly PasskeyRecord[]
  readonly accounts: readonly ConnectedAccount[]
}

interface ConnectedAccount {
  readonly providerId: number
  readonly hash: string
  readonly connection: Connection
}

/** What a change takes from the user, or what they would sign in under. */
export interface WayRemoval {
  readonly passkeyId?: number
  /** The account at an identity provider, by the two parts of its key. */
  readonly account?: Pick<ConnectedAccount, 'providerId' | 'hash'>
  /** All accounts at a connection that ends. */
  readonly connectionId?: number
  /** Fields of the user as they will be. */
  readonly user?: Partial<UserRecord>
  /** The sign-in policy as it will be. */
  readonly policy?: StoredSignInPolicy
}

/** Reads all that a user signs in with. The record of the user is older than what is read: a removal in between changes it. */
export const readSignInState = async (services: Services, user: UserRecord): Promise<SignInState> => {
  const { table } = services
  const [policy, passkeys, accounts] = await Promise.all([
    findSignInPolicy(table),
    user.passkeys?.count ? findPasskeys(table, user.id) : [],
    readAccounts(table, user),
  ])
  const required = await findProviderOfSignIn(services, policy, user)
  // The first sign-in through the company finds the user by their address.
  const isExpected = required && !accounts.some(({ providerId }) => providerId === required.id)
  return {
    user,
    policy,
    accounts: isExpected
      ? [...accounts, { providerId: required.id, hash: '', connection: required }]
      : accounts,
    passkeys: passkeys.filter(({ createdAt }) => !isCredentialRevoked(user, createdAt)),
  }
}

const readAccounts = async (table: Table, user: UserRecord): Promise<readonly ConnectedAccount[]> => {
  const accounts = (await findCompanyAccounts(table, user)).filter(
    (account) => !isCompanyAccountRevoked(account) && account.endedAtProvider === undefined,
  )
  const ids = [...new Set(accounts.map(({ providerId }) => providerId))]
  const connections = new Map((await readConnections(table, ids)).map((one) => [one?.id, one]))
  return accounts.flatMap(({ providerId, hash }) => {
    const connection = connections.get(providerId)
    return connection ? [{ providerId, hash, connection }] : []
  })
}

/** What the user signs in with after a change. */
export const applyRemoval = (state: SignInState, removal: WayRemoval): SignInState => {
  const { passkeyId, account, connectionId } = removal
  const removed = state.passkeys.filter(({ id }) => id === passkeyId)
  const passkeys = removed.length > 0 ? { passkeys: countRemovedPasskeys(state.user, removed) } : {}
  return {
    user: { ...state.user, ...passkeys, ...removal.user },
    policy: removal.policy ?? state.policy,
    passkeys: state.passkeys.filter((one) => !removed.includes(one)),
    accounts: state.accounts.filter(
      ({ providerId, hash }) =>
        providerId !== connectionId &&
        !(account && account.providerId === providerId && account.hash === hash),
    ),
  }
}

/** Every way of a user to sign in, each with what keeps it from working now. */
export const listWaysToSignIn = async (
  services: Services,
  state: SignInState,
): Promise<readonly SignInWay[]> => {
  const { user, policy, accounts } = state
  if (isGuestUser(user) || user.isProgram) return []
  const required = await findProviderOfSignIn(services, policy, user)
  const isDeciding = (await getEffectivePermissions(services.table, user)).some(isPrivileged)
  const mustUsePasskey = await requiresPasskeyNow(services, state)
  const own = listOwnWays(services, state, mustUsePasskey).map(
    (way): SignInWay => (required ? { ...way, obstacle: 'sso_required' } : way),
  )
  const publicObstacle = findPublicObstacle(state, { isDeciding, mustUsePasskey })
  const connected = accounts.map(({ connection }): SignInWay => {
    const { id, name } = connection
    const provider = { id, name }
    if (connection.setup) return { kind: 'company', provider, obstacle: 'not_set_up' }
    if (isPublic(connection))
      return { kind: 'public_provider', provider, obstacle: required ? 'sso_required' : publicObstacle }
    const isOther = required !== undefined && !(user.email && isUsableAddress(connection, user.email))
    if (isOther) return { kind: 'company', provider, obstacle: 'sso_required' }
    // Its session counts in the organization alone, and leads nowhere in the account.
    if (connection.isFromOrganization) return { kind: 'company', provider, obstacle: 'organization_only' }
    // The holder of a set-up link chose the identity provider.
    const isRefused = connection.setup !== undefined && isDeciding
    return { kind: 'company', provider, obstacle: isRefused ? 'rights_refused' : null }
  })
  return [...own, ...connected]
}

/** Whether the policy requires a passkey of this user by now, as `limitSession` decides at the doors. */
const requiresPasskeyNow = async (
  services: Services,
  { user, policy, passkeys }: SignInState,
): Promise<boolean> => {
  if (passkeys.every(({ isUnproven }) => isUnproven)) return false
  const deadline = await findSetupDeadline(services, policy, user)
  return deadline !== undefined && deadline.at <= services.now()
}

/** The ways that need no provider. */
const listOwnWays = (
  services: Services,
  { user, policy, passkeys }: SignInState,
  mustUsePasskey: boolean,
): readonly SignInWay[] => {
  const isPasskeysOnly = policy?.policy.passkeys_only === true
  const proven = passkeys.filter(({ isUnproven }) => !isUnproven)
  // A passkey that never verified its user only follows a password.
  const opensAlone = proven.some(({ isUserVerified, isImported }) => isUserVerified || isImported)
  const hasPassword = user.passwordHash !== null || user.legacySignIn !== undefined
  const way = (kind: SignInWayKind, obstacle: SignInWay['obstacle']): SignInWay => ({
    kind,
    provider: null,
    obstacle,
  })
  return [
    ...(passkeys.length > 0 && canHavePasskeys(user)
      ? [way('passkey', opensAlone ? null : 'not_proven')]
      : []),
    // With passkeys alone, a password leads to nothing but the passkey that must follow it.
    ...(hasPassword
      ? [way('password', isPasskeysOnly && proven.length === 0 ? 'passkey_required' : null)]
      : []),
    ...(policy?.policy.allow_email_codes && canUseEmailCode(user, services.now())
      ? [way('email_code', isPasskeysOnly || mustUsePasskey ? 'passkey_required' : null)]
      : []),
  ]
}

/** What keeps a public provider from signing this user in, as `provePublicSignIn` decides at the door. */
const findPublicObstacle = (
  { user, policy }: SignInState,
  { isDeciding, mustUsePasskey }: { readonly isDeciding: boolean; readonly mustUsePasskey: boolean },
): SignInWay['obstacle'] => {
  if (policy?.policy.passkeys_only) return 'passkey_required'
  if (user.totp) return null
  return requiresPasskey(user) || mustUsePasskey || isDeciding ? 'second_factor_required' : null
}

/** What the user could add to sign in with. */
export const listWaysToAdd = ({ user, policy }: SignInState): readonly SignInWayToAdd[] => {
  const isPasskeysOnly = policy?.policy.passkeys_only === true
  return [
    ...(canHavePasskeys(user) ? (['passkey'] as const) : []),
    ...(user.passwordHash === null && user.allow_changing_password && !isPasskeysOnly
      ? (['password'] as const)
      : []),
    ...(isPasskeysOnly ? [] : (['account'] as const)),
    ...(user.totp || isPasskeysOnly ? [] : (['authenticator_app'] as const)),
  ]
}

/** Whether a way opens a session now. */
export const isWorking = ({ obstacle }: SignInWay): boolean => obstacle === null

/**
 * Refuses a change of settings or of a connection that would keep the caller out. Someone whom nothing signs in anyway may
 * change them.
 *
 * @throws AppError like `requireWayLeft`
 */
export const requireWaysKept = async (
  services: Services,
  user: UserRecord,
  removal: WayRemoval,
): Promise<void> => {
  const state = await readSignInState(services, user)
  const after = applyRemoval(state, removal)
  const left = await listWaysToSignIn(services, after)
  if (left.some(isWorking) || !(await listWaysToSignIn(services, state)).some(isWorking)) return
  throw createLastWayError(left, listWaysToAdd(after))
}

/**
 * Refuses what would take the last way to sign in from the caller themselves. Call it with the user as the transaction expects them: each
 * removal is an edit of the user, so of two at once the second one fails and asks again.
 *
 * @throws AppError `conflict` with the reason `last_sign_in_method`, and what is left
 */
export const requireWayLeft = async (
  services: Services,
  user: UserRecord,
  removal: WayRemoval,
): Promise<void> => {
  const after = applyRemoval(await readSignInState(services, user), removal)
  const left = await listWaysToSignIn(services, after)
  if (!left.some(isWorking)) throw createLastWayError(left, listWaysToAdd(after))
}

const createLastWayError = (left: readonly SignInWay[], toAdd: readonly SignInWayToAdd[]): AppError =>
  new AppError('conflict', {
    reason: 'last_sign_in_method',
    detail:
      'This is your last way to sign in that works. Add another one first. `left_ways` has what is left, and why it does not work. `ways_to_add` has what helps.',
    members: { left_ways: left, ways_to_add: toAdd },
  })
