import { hasAdminAccess } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { changeSteps } from '../../accounts/events/change-event.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UserChanges, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import { exemptUsersMax } from '../../kernel/limits/connection-limits.ts'
import type { Services } from '../../services.ts'
import { findDomainMarker } from '../connections/domains.records.ts'
import type { Profile } from '../connections/profile.ts'
import { getProtocol } from '../connections/protocols.ts'
import { type Connection, editConnection, findConnection } from '../connections/records.ts'
import { getLoginUrl } from '../connections/retry-path.ts'
import { connectionSettings } from '../connections/rules.models.ts'
import { getMailDomain, isUsableAddress } from '../connections/usable-domains.ts'
import type { StoredSignInPolicy } from './policy.records.ts'

/*
 * A provider can be the only way to sign in for the people with an address in its domains. The marker of the domain says so, so
 * a sign-in reads the same however many providers there are. The sign-in policy, which each sign-in reads anyway, says
 * whether there was ever such a provider. Before that, a sign-in costs nothing more.
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
  policy: StoredSignInPolicy | undefined,
  user: Account,
  code: 'login_incomplete' | 'permission_denied' = 'login_incomplete',
): Promise<void> => {
  const provider = await findProviderOfSignIn(services, policy, user)
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
  rights?: { readonly permissions: readonly string[] },
): Promise<Connection | undefined> => {
  const isChanged = normalizedEmail !== user.normalizedEmail || emailVerified === false
  if (!isChanged || !hasVerifiedEmail(user) || (rights && hasAdminAccess(rights.permissions)))
    return undefined
  return findRequiredProvider(services, user)
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

/** Finds the provider that a user must sign in with, in a sign-in that has read the policy. */
export const findProviderOfSignIn = async (
  services: Services,
  policy: StoredSignInPolicy | undefined,
  user: Account,
): Promise<Connection | undefined> =>
  policy?.hasRequiredDomains ? findRequiredProvider(services, user) : undefined

/** Finds the provider that a user must sign in with. Reads nothing for users without a verified address. */
const findRequiredProvider = async ({ table }: Services, user: Account): Promise<Connection | undefined> => {
  const domain = hasVerifiedEmail(user) ? getMailDomain(user.email) : undefined
  const marker = domain === undefined ? undefined : await findDomainMarker(table, domain)
  const provider = marker?.isRequired && (await findConnection(table, marker.providerId))
  return provider && isRequiredFor(provider, user) ? provider : undefined
}

/** Whether a provider is the only way in for a user with a verified address. */
export const isRequiredFor = (
  provider: Connection,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): boolean =>
  provider.required_for_domains &&
  email !== null &&
  isUsableAddress(provider, email) &&
  !isExempt(provider, { id })

/**
 * Finds the connection that the user's company requires, in a sign-in through another one. An address in a domain of the
 * connection belongs to no other, so that it costs no table call.
 */
export const findOtherProvider = async (
  services: Services,
  user: Account,
  connection: Pick<Connection, 'id' | 'domains'>,
): Promise<Connection | undefined> =>
  !hasVerifiedEmail(user) || isUsableAddress(connection, user.email)
    ? undefined
    : findRequiredProvider(services, user)

/**
 * Refuses an answer of a public provider if a company requires its own sign-in: see `findCompany`.
 *
 * @throws AppError with the reason `sso_required`
 */
export const requireNoCompany = async (
  services: Services,
  user: Account | undefined,
  profile: Pick<Profile, 'email' | 'username'>,
): Promise<void> => {
  const company = await findCompany(services, user, profile)
  if (company) throw createProviderRequiredError(services, company, 'permission_denied')
}

/**
 * Finds a connection that a company requires, in an answer of a public provider: for the address that the provider sent, confirmed or not,
 * as an address or as the name of the account there, or for that of the user. Nobody gets around the rule of their company by an account that they made elsewhere.
 */
export const findCompany = async (
  services: Services,
  user: Account | undefined,
  { email, username }: Pick<Profile, 'email' | 'username'>,
): Promise<Connection | undefined> => {
  const addresses = [email, username, user?.email].filter((one) => typeof one === 'string')
  const domains = new Set(addresses.flatMap((address) => getMailDomain(address) ?? []))
  for (const domain of domains) {
    const marker = await findDomainMarker(services.table, domain)
    const provider = marker?.isRequired ? await findConnection(services.table, marker.providerId) : undefined
    const isRequired =
      provider?.required_for_domains &&
      isUsableAddress(provider, `a@${domain}`) &&
      !(user && isExempt(provider, user))
    if (provider && isRequired) return provider
  }
  return undefined
}

/** Makes a user an emergency account of the provider that their company requires, because it may not work. */
export const exemptFromProvider = async (
  services: Services,
  user: Account,
  context: RequestContext,
): Promise<void> => {
  const provider = await findRequiredProvider(services, user)
  if (!provider) return
  const { id, exempt_users } = provider
  const after = { exempt_users: [...exempt_users.slice(-(exemptUsersMax - 1)), user.id] }
  await editConnection(
    services.table,
    provider,
    after,
    changeSteps(context, `${getProtocol(provider).eventPrefix}.changed`, {
      of: id,
      change: { fields: connectionSettings, before: provider, after },
    }),
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
