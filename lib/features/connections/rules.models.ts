import * as z from 'zod/mini'
import type { FieldText } from '../../kernel/contract/describe.ts'
import type { FieldRights } from '../../kernel/contract/field-rights.ts'
import { flag, id, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { authnContextsMax, exemptUsersMax } from '../../kernel/limits/connection-limits.ts'
import { givenRoles } from '../organizations/models.ts'

/* Fields that company connections of both kinds have. */

const sourceName = z.optional(z.nullable(text255))

/** Which attribute or claim each fact about a user is read from. */
export const AttributeMapping = model(
  {
    username_from: field(
      sourceName,
      docs && 'The name of what contains the username, or null for the usual names. Default: null.',
    ),
    email_from: field(
      sourceName,
      docs &&
        'The name of what contains the email address, or null for the usual names. People must not be able to change it themselves at the identity provider. Default: null.',
    ),
    full_name_from: field(
      sourceName,
      docs && 'The name of what contains the full name, or null for the usual names. Default: null.',
    ),
    groups_from: field(
      sourceName,
      docs && 'The name of what contains the names of groups, or null for the usual names. Default: null.',
    ),
  },
  docs && {
    description:
      'Which attribute of an assertion, or which claim of an ID token, each fact about a user is read from. A fact without one is read from the usual names.',
    example: { username_from: null, email_from: 'mail', full_name_from: null, groups_from: 'department' },
  },
)
export type AttributeMapping = z.output<typeof AttributeMapping>

const authnContexts = z.array(text255).check(z.maxLength(authnContextsMax))

const defaultRoles = z.nullable(givenRoles)

/** Only administrators see them. */
export const connectionRules = {
  organization_id: z.optional(z.nullable(id)),
  default_organization_roles: z.optional(defaultRoles),
  required_for_domains: z.optional(flag),
  exempt_users: z.optional(z.array(id).check(z.maxLength(exemptUsersMax))),
  attribute_mapping: z.optional(AttributeMapping),
  required_authn_contexts: z.optional(authnContexts),
  multi_factor_authn_contexts: z.optional(authnContexts),
}

/** The fields that requests set for connections of every kind. */
export const connectionSettings = {
  name: text255,
  disabled_in_client: flag,
  auto_create_users: flag,
  auto_create_groups: flag,
  auto_sync_groups: flag,
  /** Groups by name, or by a prefix that ends with `*`. Those with permissions must be listed by their exact name. */
  allowed_groups: z.nullable(z.array(text255).check(z.maxLength(100))),
  user_template: z.nullable(id),
  ...connectionRules,
}

/** Who sets and who sees a field of a connection, and which connections have it. */
export interface ConnectionFieldRights extends FieldRights {
  /** Whether a connection of an organization can have another value than a new connection. If not, why. */
  readonly ofOrganization: true | string
}

const documented = ['service', 'configuration'] as const
// API tokens must not turn into sessions, so they choose only how a connection is shown.
const shown = ['service', 'configuration', 'api_token'] as const
const administrators = ['service'] as const
const everyone = ['service', 'everyone'] as const
const groupsOfService =
  'must be false for a connection of an organization, because groups are of the whole service'

/**
 * Configuration leaves out who is exempt, and the organization, whose ID differs in every stage. What a customer must not decide for the
 * whole service, a connection of their organization cannot have. Which fields a provider has is decided by its row: see `oidc/providers`.
 */
export const connectionRights = {
  name: { by: shown, seenBy: everyone, ofOrganization: true },
  disabled_in_client: { by: shown, seenBy: everyone, ofOrganization: true },
  auto_create_users: { by: documented, seenBy: everyone, ofOrganization: true },
  required_for_domains: {
    by: documented,
    seenBy: administrators,
    ofOrganization:
      'must be false for a connection of an organization, because people can be in other organizations, too',
  },
  auto_create_groups: {
    by: documented,
    seenBy: everyone,
    ofOrganization: groupsOfService,
  },
  auto_sync_groups: {
    by: documented,
    seenBy: everyone,
    ofOrganization: groupsOfService,
  },
  allowed_groups: {
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
  },
  user_template: { by: documented, seenBy: everyone, ofOrganization: true },
  organization_id: {
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
  },
  default_organization_roles: {
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
  },
  exempt_users: {
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
  },
  attribute_mapping: {
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
  },
  required_authn_contexts: {
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
  },
  multi_factor_authn_contexts: {
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
  },
} as const satisfies Readonly<Record<keyof typeof connectionSettings, ConnectionFieldRights>>

/** What a test sign-in shows of the answer of an identity provider. */
export const ReceivedAttribute = model(
  {
    name: field(text255, docs && 'Its name, or its friendly name if it has one.'),
    values: field(z.array(text255), docs && 'Its values. Long ones are cut.'),
    is_cut: field(flag, docs && 'Whether values are missing or cut.'),
  },
  docs && {
    description: 'An attribute that an identity provider sent.',
    example: { name: 'mail', values: ['ada@example.com'], is_cut: false },
  },
)
export type ReceivedAttribute = z.output<typeof ReceivedAttribute>

const stays = 'Omitted in a change, it stays as it is. Only administrators see it.'

export const connectionRuleDescriptions =
  docs &&
  ({
    organization_id:
      'The ID of the organization that the connection belongs to, or null if it is for the whole service. What it signs in counts only in this organization. Only a new connection can set it. Default: null. Only administrators see it.',
    default_organization_roles: `The roles with which a person who signs in with the connection of an organization becomes a member of it, never \`owner\`. Null if nobody joins by signing in. Always null without an organization. Default: \`member\`. ${stays}`,
    required_for_domains: `Whether people with a verified email address in a proven or vouched domain of the connection can sign in only with it. Default: \`false\`. ${stays}`,
    exempt_users: `The IDs of at most ${exemptUsersMax} users who can sign in in other ways nevertheless, such as for emergencies. Default: an empty list. ${stays}`,
    attribute_mapping: `Which attributes or claims the facts about a user are read from. An omitted entry stays as it is. ${stays}`,
    required_authn_contexts: `The ways of signing in at the identity provider that count, one of which each sign-in must state: values of \`AuthnContextClassRef\` (SAML Core 2.7.2.2) or \`acr\`. They are requested, too. An empty list accepts all. Default: an empty list. ${stays}`,
    multi_factor_authn_contexts: `The ways of signing in at the identity provider that count as two factors here: values of \`AuthnContextClassRef\`, \`acr\` or \`amr\`. Default: an empty list. ${stays}`,
  } satisfies Record<string, FieldText>)
