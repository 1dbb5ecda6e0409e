import { AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import { exemptUsersMax, requiredProvidersMax } from '../../kernel/limits/connection-limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { hasAdminAccess } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import type { RequestContext } from '../access/request-context.ts'
import { auditStep } from '../audit/write-event.ts'
import { findDomainProviderId } from '../connections/domains.records.ts'
import { getProtocol } from '../connections/protocols.ts'
import { type Connection, editConnection, findConnection } from '../connections/records.ts'
import { getLoginUrl } from '../connections/retry-path.ts'
import { getMailDomain, isUsableAddress } from '../connections/usable-domains.ts'
import type { CallerRights } from '../directory/account-rights.ts'
import { hasVerifiedEmail } from '../directory/guest-state.records.ts'
import type { UserChanges, UserRecord } from '../directory/user.records.ts'
import { buildSignInPolicyStep, findSignInPolicy, type StoredSignInPolicy } from './policy.records.ts'
import { defaultSignInPolicy } from './policy.ts'

/*
 * A provider can be the only way to sign in for the people with an address in its domains. The sign-in policy, which each
 * sign-in reads anyway, lists such providers. Without one, a sign-in costs nothing more.
 */

type Account = Pick<UserRecord, 'id' | 'email' | 'emailVerified'>

/**
 * Refuses a user who may sign in only through their company's provider. Call it after the user proved who they are: the
 * error shows where they have an account.
 *
 * @throws AppError with the reason `sso_required`
 */
export const requireNoProvider = async (
  services: Services,
  policy: Pick<StoredSignInPolicy, 'requiredProviders'> | undefined,
  user: Account,
  code: 'login_incomplete' | 'permission_denied' = 'login_incomplete',
): Promise<void> => {
  const provider = await findRequiredProvider(services, policy, user)
  if (provider) throw createProviderRequiredError(services, provider, code)
}

/**
 * Finds the provider that keeps a user from another address. An administrator alone moves an account that has to sign in
 * through the provider of its company. `rights` are those of the caller, if that is not the user. Every change of an address
 * asks it, and so does what makes an address unconfirmed: the account would then have other ways to sign in.
 */
export const findAddressKeeper = async (
  services: Services,
  user: Account & Pick<UserRecord, 'normalizedEmail'>,
  { normalizedEmail = user.normalizedEmail, emailVerified }: UserChanges,
  rights?: Pick<CallerRights, 'permissions'>,
): Promise<Connection | undefined> => {
  const isChanged = normalizedEmail !== user.normalizedEmail || emailVerified === false
  if (!isChanged || !hasVerifiedEmail(user) || (rights && hasAdminAccess(rights.permissions)))
    return undefined
  return findRequiredProvider(services, await findSignInPolicy(services.table), user)
}

/** @throws AppError `permission_denied` with the reason `sso_required` if a provider keeps the user from another address */
export const requireChangeableAddress = async (
  services: Services,
  ...change: DropFirst<Parameters<typeof findAddressKeeper>>
): Promise<void> => {
  const keeper = await findAddressKeeper(services, ...change)
  if (keeper) throw createProviderRequiredError(services, keeper, 'permission_denied')
}

type DropFirst<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest]
  ? Rest
  : never

export const createProviderRequiredError = (
  { config }: Services,
  connection: Connection,
  code: 'login_incomplete' | 'permission_denied' = 'login_incomplete',
): AppError => {
  const { id, name } = connection
  const loginUrl = getLoginUrl(config, connection)
  return new AppError(code, {
    reason: 'sso_required',
    detail: `This account signs in with ${name}. Open \`login_url\` of \`saml_provider\` in a browser.`,
    members: { saml_provider: { id, name, login_url: loginUrl } },
    page: { requiredConnection: name, loginUrl },
  })
}

/** Finds the provider that a user must sign in with. Reads nothing for users without a verified address. */
export const findRequiredProvider = async (
  { table }: Services,
  policy: Pick<StoredSignInPolicy, 'requiredProviders'> | undefined,
  user: Account,
): Promise<Connection | undefined> => {
  const ids = policy?.requiredProviders ?? []
  if (ids.length === 0 || !hasVerifiedEmail(user)) return undefined
  const domain = getMailDomain(user.email)
  const id = domain === undefined ? undefined : await findDomainProviderId(table, domain)
  if (id === undefined || !ids.includes(id)) return undefined
  const provider = await findConnection(table, id)
  return provider?.required_for_domains && isUsableAddress(provider, user.email) && !isExempt(provider, user)
    ? provider
    : undefined
}

/**
 * Refuses a sign-in through another connection than the one that the user's company requires. An address in a domain of the
 * connection belongs to no other, so that it costs no table call.
 *
 * @throws AppError with the reason `sso_required`
 */
export const requireNoOtherProvider = async (
  services: Services,
  user: Account,
  connection: Pick<Connection, 'id' | 'domains'>,
): Promise<void> => {
  if (!hasVerifiedEmail(user) || isUsableAddress(connection, user.email)) return
  await requireNoProvider(services, await findSignInPolicy(services.table), user, 'permission_denied')
}

/** Makes a user an emergency account of the provider that their company requires, because it may not work. */
export const exemptFromProvider = async (
  services: Services,
  user: Account,
  context: RequestContext,
): Promise<void> => {
  const provider = await findRequiredProvider(services, await findSignInPolicy(services.table), user)
  if (!provider) return
  const { id, exempt_users } = provider
  await editConnection(
    services.table,
    provider,
    { exempt_users: [...exempt_users.slice(-(exemptUsersMax - 1)), user.id] },
    [
      auditStep(context, `${getProtocol(provider).eventPrefix}.changed`, {
        target: `${id} exempt_users`,
      }),
    ],
  )
}

const isExempt = ({ exempt_users }: Connection, { id }: Pick<UserRecord, 'id'>): boolean =>
  exempt_users.includes(id)

/**
 * Keeps administrators from locking themselves out. A domain counts before it is proven, because the proof can come at any
 * time. Someone who is signed in through the provider is not locked out.
 *
 * @throws AppError `invalid_request`
 */
export const requireCallerNotLockedOut = (
  { user, actor, session }: Pick<Principal, 'user' | 'actor' | 'session'>,
  provider: Connection,
  field: string,
): void => {
  const caller = actor ?? user
  if (!provider.required_for_domains || isExempt(provider, caller) || !hasVerifiedEmail(caller)) return
  if (!actor && session?.providerSubject?.providerId === provider.id) return
  const domain = getMailDomain(caller.email)
  if (provider.domains.some(({ name }) => name === domain))
    throw invalidRequest([
      {
        field,
        message: `would lock you out: add your user ID ${caller.id} to \`exempt_users\`, or sign in through this provider first`,
      },
    ])
}

/**
 * Builds the step that adds a provider to the list in the sign-in policy, or removes it.
 *
 * @throws AppError `invalid_request` if there are too many
 */
export const buildRequiredProviderSteps = async (
  { table, now }: Services,
  id: number,
  isRequired: boolean,
): Promise<readonly Step[]> => {
  const stored = await findSignInPolicy(table)
  const before = stored?.requiredProviders ?? []
  if (before.includes(id) === isRequired) return []
  if (isRequired && before.length >= requiredProvidersMax)
    throw invalidRequest([
      { field: 'required_for_domains', message: `can be on for ${requiredProvidersMax} providers` },
    ])
  const requiredProviders = isRequired ? [...before, id] : before.filter((one) => one !== id)
  const { policy, secondFactorSince } = stored ?? { policy: defaultSignInPolicy, secondFactorSince: now() }
  return [buildSignInPolicyStep(stored, { policy, secondFactorSince, requiredProviders })]
}
