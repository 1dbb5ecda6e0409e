import { randomBytes } from 'node:crypto'
import { isPrivileged } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import { normalizeEmail, normalizeUsername, validateUsername } from '../../accounts/names/names.ts'
import { findClaims } from '../../accounts/names/user-claims.records.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { buildUnprivilegedGroupStep } from '../../accounts/users/build-index-steps.records.ts'
import { describeNewUser } from '../../accounts/users/describe-new-user.ts'
import { buildUser } from '../../accounts/users/new-user.ts'
import { firstCredentialEpoch } from '../../accounts/users/plan-new-user.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { createUser } from '../../accounts/users/write-users.records.ts'
import { toDisplayText } from '../../kernel/contract/text-rules.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import { buildSkeletonField } from '../directory/names/lookalikes.ts'
import { hasMixedScripts } from '../directory/names/scripts.ts'
import { isNameFor, isPublicName } from '../directory/names/user-validation.ts'
import { connectionRights, limitRights } from '../directory/rights/rights-limit.ts'
import { findUserTemplate, type UserTemplateRecord } from '../directory/templates/templates.records.ts'
import { findSignUpTerms } from '../invitations/sign-up-rules.ts'
import { consumeForNetwork } from '../network-limits/rules.ts'
import { requireNoCompany } from '../sign-in/required-sign-in.ts'
import { type AccountName, buildCompanyAccountSteps } from './accounts.records.ts'
import { findVerifier, isUsableEmail } from './asserted-address.ts'
import type { AnswerContext } from './connection-context.ts'
import { type ConnectionContext, getConnectionTarget } from './connection-context.ts'
import { buildDirectorySteps, mayCreate } from './directory-person.ts'
import { createConnectionError, createNoAccountError } from './errors.ts'
import { findGroupsByName, removePrivilegedGroups, syncMemberships } from './groups.ts'
import { isHeld } from './link-by-address.ts'
import { nameLength, type Profile, toShownName } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { createsUsers, getFirstSignIn, isPublic } from './public-connections.ts'
import { getDeclaredProvider } from './public-providers.models.ts'
import type { Connection } from './records.ts'
import type { ReleasedAddress } from './release-address.ts'
import { isUsableAddress } from './usable-domains.ts'

export interface UnknownUser {
  readonly identity: ProvenIdentity
  readonly name: AccountName
  /** The deleted user who had this name before. */
  readonly deletedUserId: number | undefined
  readonly profile: Profile
  /** The address that another account has to give up for this user. */
  readonly released?: ReleasedAddress | undefined
}

/**
 * Creates the user of a proven identity from the provider's template. Neither the template nor a group gives the user a privileged
 * permission. If someone else gives one later, the account starts anew: see `directory/rights/rights-limit.ts`.
 *
 * @throws AppError `permission_denied` when the provider does not create users, the person did not accept the terms, its template is
 *   missing, or an organization brought it and has not proven the domain of the address
 * @throws EditConflict if another account got the address in the meantime, for which the provider speaks
 */
export const createConnectionUser = async (
  signIn: AnswerContext,
  { identity, name, deletedUserId, profile, released }: UnknownUser,
): Promise<UserRecord> => {
  const { services, provider, context } = signIn
  const consent = await findConsent(signIn)
  if (!consent || !mayNameUser(provider, profile)) throw createNoAccountError(provider)
  if (isPublic(provider)) {
    await requireNoCompany(services, undefined, profile)
    // Everybody can have any number of accounts at a public provider.
    await consumeForNetwork(services, getDeclaredProvider(provider).signUpLimit, {
      context,
      device: context.device,
      isPaid: signIn.isPaid,
    })
  }
  const gifts =
    services.config.hooks?.beforeSignUp &&
    (await (await import('./sign-up-hook.ts')).askAboutIdentity(signIn, { identity, name, profile }))
  await signIn.use.reserve()
  const { table, now } = services
  const template = await findTemplate(signIn)
  if (released) await (await import('./release-address.ts')).releaseAddress(signIn, released)
  const names = await findFreeNames(signIn, identity, profile)
  if (names.email === null && (await isTakenMeanwhile(signIn, profile))) throw new EditConflict()
  const given = [...(template?.groups ?? []), ...(gifts?.groups ?? [])]
  const ownGroups = removePrivilegedGroups(await findGroups(table, given))
  const usesGroups = provider.auto_sync_groups || provider.auto_create_groups
  const named = await findGroupsByName(signIn, usesGroups ? (profile.groups ?? []) : [])
  const { groups, fromProvider } = syncMemberships({ groups: ownGroups, fromProvider: [] }, named.ids)
  // The person who opens the link has an address that several claim.
  const verifier =
    names.email === null || released?.isClaimed ? undefined : findVerifier(provider, identity, names.email)
  const isWaiting = names.email !== null && verifier === undefined
  const pending = isPublic(provider) && isWaiting ? toPendingAddress(names.email) : undefined
  const newUser = buildUser({
    ...names,
    ...(pending || names.email === null
      ? { email: null, ...omitUndefined({ pendingEmail: pending }) }
      : { email: names.email, ...buildEmailState(verifier) }),
    ...(isWaiting && !pending ? { isEmailFromProvider: true as const } : {}),
    full_name: profile.fullName === null ? null : toDisplayText(profile.fullName, 255),
    permissions: (template?.permissions ?? []).filter((permission) => !isPrivileged(permission)),
    groups,
    language: template?.language ?? null,
    ...consent,
    default_page: template?.default_page ?? '/',
    is_external: template?.is_external ?? false,
    // A user whom their company blocks must not sign in with a password that they set by email before.
    allow_changing_password: isPublic(provider),
    rightsLimit: limitRights(undefined, connectionRights, { nowMs: now(), setsEmail: false }),
    ...gifts?.fields,
    ...(signIn.directory?.person && { directories: [provider.id] }),
  })
  const user = await createUser(table, newUser, now(), {
    extraSteps: (id) => [
      ...buildCompanyAccountSteps(name, {
        userId: id,
        groups: fromProvider,
        deletedUserId,
        shownName: toShownName(provider, identity),
        refreshToken: identity.refreshToken,
        lastUsedAt: now(),
      }),
      ...buildDirectorySteps(signIn, id, { isMade: true }),
      auditStep(context, 'user.created', { user: id, ...describeNewUser(newUser) }),
      auditStep(context, 'company_account.created', { user: id, target: getConnectionTarget(provider) }),
      ...(isWaiting ? [buildOutboxStep({ kind: 'email_confirmation', userId: id }, context, now())] : []),
    ],
    // An administrator chose the groups of the template, and of the hook. They may have permissions.
    guard: (id) => (ownGroups.includes(id) ? buildUnprivilegedGroupStep(id) : named.guard(id)),
  })
  await endOtherClaims(services, context, user)
  return user
}

/**
 * Finds what an unknown account becomes a user with, or undefined if it must not: the connection creates users, or asks, and the person
 * said that they want an account. At a public provider, they accepted the present terms of the sign-up policy for it.
 */
export const findConsent = async ({
  services,
  provider,
  wantsAccount,
  directory,
}: ConnectionContext): Promise<Pick<UserRecord, 'acceptedTerms'> | undefined> => {
  const isAllowed =
    mayCreate(directory) ??
    (createsUsers(provider) || (wantsAccount !== undefined && getFirstSignIn(provider) === 'ask'))
  if (!isAllowed) return undefined
  // The company decides about the accounts of its people.
  const terms = isPublic(provider) ? await findSignUpTerms(services) : undefined
  if (!terms) return {}
  const { version } = terms
  return wantsAccount?.termsVersion === version
    ? { acceptedTerms: { version, at: services.now() } }
    : undefined
}

/** Whether another account got the address after `linkByAddress` found none that has it. What becomes of the address is decided anew. */
const isTakenMeanwhile = async (signIn: AnswerContext, { email }: Profile): Promise<boolean> =>
  !isPublic(signIn.provider) &&
  email !== null &&
  isUsableAddress(signIn.provider, email) &&
  (await isHeld(signIn, email))

/** An address that nobody has yet: a link in an email confirms it. So the account looks the same if another one has the address. */
const toPendingAddress = (email: string | null) =>
  email === null
    ? undefined
    : { email, normalizedEmail: normalizeEmail(email), credentialEpoch: firstCredentialEpoch }

/** What an organization brought creates accounts in its own domains alone, so that it takes the addresses of nobody else. */
const mayNameUser = (provider: Connection, { email }: Profile): boolean =>
  !provider.isFromOrganization || (email !== null && isUsableAddress(provider, email))

const findTemplate = async ({
  services: { table, log },
  provider,
}: ConnectionContext): Promise<UserTemplateRecord | undefined> => {
  if (provider.user_template === null) return undefined
  const template = await findUserTemplate(table, provider.user_template)
  if (template) return template
  // The template decides what users of this provider may do. A user with too many rights is worse than none.
  log.error('connection.template_missing', { provider: provider.id, template: provider.user_template })
  throw createConnectionError(
    'permission_denied',
    provider,
    'no_template',
    'Creating new accounts is not set up at the moment. Ask an administrator.',
  )
}

/** A username and an email address that no user has. */
interface FreeNames {
  readonly username: string
  readonly normalizedSkeleton: string | undefined
  /** Null without a usable address, or when another user has it. A provider cannot claim an address. */
  readonly email: string | null
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/**
 * Chooses the username of a new user from a provider, in one table call: the asserted name, or the next free variant of
 * it. A name never gives access to the account of another user. A name with an `@` must be the address of this user, which the
 * provider may speak for. Otherwise, the part before the `@` is the name: a company must not name its users after the
 * addresses of others.
 */
const findFreeNames = async (
  { services: { table, config }, provider }: ConnectionContext,
  identity: ProvenIdentity,
  profile: Profile,
): Promise<FreeNames> => {
  const { subject, identifier } = identity
  const email = profile.email !== null && isUsableEmail(profile.email) ? profile.email : null
  const isVerified = email !== null && findVerifier(provider, identity, email) !== undefined
  // Whether others have an address that nobody confirmed must not show.
  const isPending = isPublic(provider) && !isVerified
  const address = { normalizedEmail: email && normalizeEmail(email), isVerified }
  const readableName = identifier?.value ?? (subject.nameIdFormat === persistent ? null : subject.nameId)
  // Anyone can choose how they are called at a public provider. What identifies them there is often a number.
  const offered = isPublic(provider)
    ? [profile.username, email, readableName]
    : [profile.username, readableName, email]
  const mayBe = (name: string) => (isPublic(provider) ? isPublicName : isNameFor)(name, address)
  const given = offered.find(
    (name) => name !== null && isUsable(config, name) && (mayBe(name) || mayBe(toLocalPart(name))),
  )
  const local = toLocalPart(given ?? 'user')
  const base = mayBe(local) ? local : 'user'
  const candidates = listCandidates(given ?? base, base).filter(mayBe)
  // A username must not be the address of another user, and an address must not be their username.
  const looks = await Promise.all(candidates.map((name) => buildSkeletonField(config, name)))
  const names = [...candidates, ...(email === null ? [] : [email])].map((name, at) => ({
    normalizedUsername: normalizeUsername(name),
    normalizedEmail: normalizeEmail(name),
    // The looks of the address do not matter.
    ...looks[at],
  }))
  const claims = await findClaims(table, names)
  const isFree = (at: number) => Object.values(claims[at] ?? {}).every((claim) => claim === undefined)
  const free = candidates.find((_, at) => isFree(at))
  const username = free ?? addSuffix(base, randomBytes(6).toString('hex'))
  const ofEmail = claims[candidates.length]
  // Someone who is only named like a verified address gives way to its owner.
  const isEmailFree = isPending || (isVerified ? ofEmail?.email === undefined : isFree(candidates.length))
  return {
    username,
    ...(await buildSkeletonField(config, username)),
    email: email !== null && isEmailFree ? email : null,
  }
}

/** The part before an `@`, in any of its forms. */
const toLocalPart = (name: string): string => {
  const [local = ''] = name.normalize('NFKC').split('@', 1)
  return validateUsername(local.trim()) === undefined ? local.trim() : 'user'
}

const isUsable = ({ allowMixedScripts }: Config, name: string): boolean =>
  name.length <= nameLength &&
  validateUsername(name) === undefined &&
  (allowMixedScripts || !hasMixedScripts(name))

const listCandidates = (given: string, base: string): readonly string[] => [
  ...new Set([given, base]),
  ...Array.from({ length: 8 }, (_, at) => addSuffix(base, String(at + 2))),
  addSuffix(base, randomBytes(4).toString('hex')),
]

const addSuffix = (base: string, suffix: string): string =>
  `${[...base].slice(0, nameLength - 16).join('')}-${suffix}`
