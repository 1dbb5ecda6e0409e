import { retry } from '../../core/retry.ts'
import type { Assertion } from '../../saml/assertion/reading.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import { findGroups } from '../../store/directory/groups.ts'
import { NotUnique } from '../../store/directory/not-unique.ts'
import { findUserTemplate } from '../../store/directory/user-templates.ts'
import { createUser, editUser } from '../../store/directory/users.ts'
import { ConditionFailed, EditConflict } from '../../store/engine/transaction-errors.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import type { UserTemplateRecord } from '../../store/records/user-template-record.ts'
import {
  buildSamlAccountSteps,
  buildSamlGroupsStep,
  findSamlAccount,
  type SamlAccount,
  type SamlName,
} from '../../store/saml/saml-accounts.ts'
import { isActive } from '../common/active-user.ts'
import { isAdmin } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { getJoinGuard } from '../directory/admin-rights.ts'
import { buildUser } from '../directory/new-user.ts'
import { createSamlError } from './errors.ts'
import { findGroupsByName, removeAdminGroups, syncMemberships } from './groups.ts'
import { readProfile, type SamlProfile } from './profile.ts'
import { findFreeNames } from './usernames.ts'

/*
 * Whom an assertion signs in. A user is found by the provider and the name ID that it gives, and made where the provider
 * may do so. Nothing that comes from a provider makes an administrator: not the template, not a group, not at a moment
 * when a group becomes one of administrators.
 */

/**
 * The user of an assertion, as it is after what the assertion says of groups was applied.
 *
 * @throws AppError that says why there is none: `permission_denied` or `login_incomplete`.
 */
export const resolveUser = async (
  services: Services,
  provider: SamlProviderRecord,
  assertion: Assertion,
  context: RequestContext,
): Promise<UserRecord> => {
  const name = toSamlName(services, provider, assertion)
  const profile = readProfile(assertion)
  const signInUser = async (): Promise<UserRecord> => {
    const { account, goneUser } = await findSamlAccount(services.table, name)
    return account
      ? updateKnownUser(services, provider, account, profile, context)
      : createSamlUser(services, provider, assertion, { name, goneUser, profile }, context)
  }
  return retry(signInUser, { attempts: 5, baseMs: 10, capMs: 100, isRetryable: isRace })
}

/** Whether another request changed or created the same records at the same moment. */
const isRace = (error: unknown): boolean =>
  error instanceof EditConflict || error instanceof NotUnique || error instanceof ConditionFailed

/**
 * A name as it tells users of a provider apart; who gave it is part of it where that isn't the provider itself. Where the
 * name ID is another one each time, an attribute stands for it.
 */
export const toSamlName = (
  { config }: Services,
  { id, entityId }: SamlProviderRecord,
  { subject, identifier }: Assertion,
): SamlName => {
  if (identifier) return { providerId: id, ...identifier }
  const own = [entityId, getServiceUrls(config.publicUrl, id).metadata]
  const qualifiers = [subject.nameQualifier ?? '', subject.spNameQualifier ?? ''].map((qualifier) =>
    own.includes(qualifier) ? '' : qualifier,
  )
  return {
    providerId: id,
    nameId: subject.nameId,
    qualifiers: qualifiers.every((qualifier) => qualifier === '') ? [] : qualifiers,
  }
}

const updateKnownUser = async (
  services: Services,
  provider: SamlProviderRecord,
  account: SamlAccount,
  profile: SamlProfile,
  context: RequestContext,
): Promise<UserRecord> => {
  const { user } = account
  if (!isActive(user, services.now()))
    throw createSamlError(
      'login_incomplete',
      provider,
      'account_disabled',
      'Your account here is disabled or has expired: ask an administrator.',
    )
  if (!provider.autoSyncGroups || profile.groups === null) return user
  const named = await findGroupsByName(services, provider, profile.groups, context)
  const next = syncMemberships({ groups: user.groups, fromProvider: account.groups }, named)
  const isSame = sameMembers(next.groups, user.groups) && sameMembers(next.fromProvider, account.groups)
  if (isSame) return user
  return editUser(
    services.table,
    user,
    { groups: next.groups },
    [
      buildSamlGroupsStep(account, next.fromProvider),
      auditStep(context, 'user.changed', { user: user.id, target: 'groups' }),
    ],
    getJoinGuard(false),
  )
}

const sameMembers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))

interface Unknown {
  readonly name: SamlName
  readonly goneUser: number | undefined
  readonly profile: SamlProfile
}

const createSamlUser = async (
  services: Services,
  provider: SamlProviderRecord,
  assertion: Assertion,
  { name, goneUser, profile }: Unknown,
  context: RequestContext,
): Promise<UserRecord> => {
  if (!provider.autoCreateUsers)
    throw createSamlError(
      'permission_denied',
      provider,
      'no_account',
      'There is no account for you here: ask an administrator to add one.',
    )
  const { table, now } = services
  const template = await templateOf(services, provider)
  const names = await findFreeNames(table, assertion, profile)
  const ofTemplate = removeAdminGroups(await findGroups(table, template?.groups ?? []))
  const takesGroups = provider.autoSyncGroups || provider.autoCreateGroups
  const named = takesGroups ? await findGroupsByName(services, provider, profile.groups ?? [], context) : []
  const { groups, fromProvider } = syncMemberships({ groups: ofTemplate, fromProvider: [] }, named)
  const target = `saml:${provider.id}`
  return createUser(
    table,
    buildUser({
      ...names,
      fullName: profile.fullName?.slice(0, 255) ?? null,
      permissions: (template?.permissions ?? []).filter((permission) => !isAdmin([permission])),
      groups,
      language: template?.language ?? null,
      defaultPage: template?.defaultPage ?? '/',
      isExternal: template?.isExternal ?? false,
      // Whom the provider shuts out is not to come in by a password that was set by mail before.
      allowChangingPassword: false,
    }),
    now(),
    (id) => [
      ...buildSamlAccountSteps(name, id, fromProvider, goneUser),
      auditStep(context, 'user.created', { user: id }),
      auditStep(context, 'saml_account.created', { user: id, target }),
    ],
    getJoinGuard(false),
  )
}

const templateOf = async (
  { table, log }: Services,
  provider: SamlProviderRecord,
): Promise<UserTemplateRecord | undefined> => {
  if (provider.userTemplate === null) return undefined
  const template = await findUserTemplate(table, provider.userTemplate)
  if (template) return template
  // Without it, nobody knows what the users of this provider may do: better none than one who may too much.
  log.error('saml.template_gone', { provider: provider.id, template: provider.userTemplate })
  throw createSamlError(
    'permission_denied',
    provider,
    'no_template',
    'New accounts are not set up for it at the moment: ask an administrator.',
  )
}
