import { toDisplayText } from '../../contract/models/display-text.ts'
import type { AppError } from '../../errors/errors.ts'
import type { Assertion } from '../../saml/assertion/read-assertion.ts'
import { findGroups } from '../../store/directory/groups.ts'
import { buildNonAdminGroupStep } from '../../store/directory/user-index-steps.ts'
import { findUserTemplate } from '../../store/directory/user-templates.ts'
import { createUser } from '../../store/directory/users.ts'
import { buildOutboxStep } from '../../store/records/outbox.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import type { UserTemplateRecord } from '../../store/records/user-template-record.ts'
import { buildSamlAccountSteps, type SamlName } from '../../store/saml/saml-accounts.ts'
import { hasAdminAccess } from '../common/permissions.ts'
import { auditStep } from '../common/request-context.ts'
import { buildUser } from '../directory/new-user.ts'
import { buildEmailState } from '../emails/email-state.ts'
import { endOtherClaims } from '../emails/other-claims.ts'
import type { SamlAssertionContext } from './assertion-use.ts'
import { createSamlError } from './errors.ts'
import { findGroupsByName, removeAdminGroups, syncMemberships } from './groups.ts'
import type { SamlProfile } from './profile.ts'
import type { SamlContext } from './saml-context.ts'
import { toShownName } from './saml-name.ts'
import { isTrustedAddress } from './trusted-email-domains.ts'
import { findFreeNames } from './usernames.ts'

export interface UnknownSamlUser {
  readonly assertion: Assertion
  readonly name: SamlName
  /** The deleted user who had this name before. */
  readonly deletedUserId: number | undefined
  readonly profile: SamlProfile
}

/**
 * Creates the user of an assertion from the provider's template. Neither the template nor a group makes the user an
 * administrator.
 *
 * @throws AppError `permission_denied` when the provider does not create users, or its template is missing
 */
export const createSamlUser = async (
  saml: SamlAssertionContext,
  { assertion, name, deletedUserId, profile }: UnknownSamlUser,
): Promise<UserRecord> => {
  const { services, provider, context } = saml
  if (!provider.autoCreateUsers) throw createNoAccountError(provider)
  await saml.use.reserve()
  const { table, now } = services
  const template = await findTemplate(saml)
  const names = await findFreeNames(services, assertion, profile)
  const templateGroups = removeAdminGroups(await findGroups(table, template?.groups ?? []))
  const usesGroups = provider.autoSyncGroups || provider.autoCreateGroups
  const named = await findGroupsByName(saml, usesGroups ? (profile.groups ?? []) : [])
  const { groups, fromProvider } = syncMemberships({ groups: templateGroups, fromProvider: [] }, named.ids)
  const isVerified = names.email === null || isTrustedAddress(provider, names.email)
  const user = await createUser(
    table,
    buildUser({
      ...names,
      ...buildEmailState(isVerified),
      ...(isVerified ? {} : { isEmailFromProvider: true as const }),
      fullName: profile.fullName === null ? null : toDisplayText(profile.fullName, 255),
      permissions: (template?.permissions ?? []).filter((permission) => !hasAdminAccess([permission])),
      groups,
      language: template?.language ?? null,
      defaultPage: template?.defaultPage ?? '/',
      isExternal: template?.isExternal ?? false,
      // A user whom the provider blocks must not sign in with a password that they set by email before.
      allowChangingPassword: false,
    }),
    now(),
    {
      extraSteps: (id) => [
        ...buildSamlAccountSteps(name, {
          userId: id,
          groups: fromProvider,
          deletedUserId,
          shownName: toShownName(assertion),
          lastUsedAt: now(),
        }),
        auditStep(context, 'user.created', { user: id }),
        auditStep(context, 'saml_account.created', { user: id, target: `saml:${provider.id}` }),
        ...(isVerified ? [] : [buildOutboxStep({ kind: 'email_confirmation', userId: id }, context, now())]),
      ],
      // An administrator chose the groups of the template. They may have permissions.
      guard: (id) => (templateGroups.includes(id) ? buildNonAdminGroupStep(id) : named.guard(id)),
    },
  )
  await endOtherClaims(services, context, user)
  return user
}

export const createNoAccountError = (provider: SamlProviderRecord): AppError =>
  createSamlError(
    'permission_denied',
    provider,
    'no_account',
    'You have no account here. Ask an administrator to create one.',
  )

const findTemplate = async ({
  services: { table, log },
  provider,
}: SamlContext): Promise<UserTemplateRecord | undefined> => {
  if (provider.userTemplate === null) return undefined
  const template = await findUserTemplate(table, provider.userTemplate)
  if (template) return template
  // The template decides what users of this provider may do. A user with too many rights is worse than none.
  log.error('saml.template_missing', { provider: provider.id, template: provider.userTemplate })
  throw createSamlError(
    'permission_denied',
    provider,
    'no_template',
    'Creating new accounts is not set up at the moment. Ask an administrator.',
  )
}
