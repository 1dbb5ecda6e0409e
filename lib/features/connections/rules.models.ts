import * as z from 'zod/mini'
import type { InEvents } from '../../kernel/contract/field-changes.ts'
import type { FieldRights } from '../../kernel/contract/field-rights.ts'
import { flag, id, text255 } from '../../kernel/contract/fields.ts'
import { field, model, settable } from '../../kernel/contract/model.ts'
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

const authnContexts = z.optional(z.array(text255).check(z.maxLength(authnContextsMax)))

/** What a field of a connection of any kind is, who sets and who sees it, and which connections have it. */
export interface ConnectionSetting extends FieldRights {
  readonly schema: z.ZodMiniType
  /** What audit events say about a change of it. */
  readonly inEvents: InEvents
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
 * The fields that requests set for connections of every kind. Everyone sees some of those of SAML providers, which have always been public.
 * Configuration leaves out who is exempt, and the organization, whose ID differs in every stage. What a customer must not decide for the
 * whole service, a connection of their organization cannot have. Which fields a provider has is decided by its row: see `oidc/providers`.
 */
export const connectionSettings = {
  name: { schema: text255, by: shown, seenBy: everyone, ofOrganization: true, inEvents: 'value' },
  disabled_in_client: { schema: flag, by: shown, seenBy: everyone, ofOrganization: true, inEvents: 'value' },
  auto_create_users: {
    schema: flag,
    by: documented,
    seenBy: everyone,
    ofOrganization: true,
    inEvents: 'value',
  },
  required_for_domains: {
    schema: z.optional(flag),
    by: documented,
    seenBy: administrators,
    ofOrganization:
      'must be false for a connection of an organization, because people can be in other organizations, too',
    inEvents: 'value',
  },
  auto_create_groups: {
    schema: flag,
    by: documented,
    seenBy: everyone,
    ofOrganization: groupsOfService,
    inEvents: 'value',
  },
  auto_sync_groups: {
    schema: flag,
    by: documented,
    seenBy: everyone,
    ofOrganization: groupsOfService,
    inEvents: 'value',
  },
  allowed_groups: {
    // Groups by name, or by a prefix that ends with `*`. Those with permissions must be listed by their exact name.
    schema: z.nullable(z.array(text255).check(z.maxLength(100))),
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  user_template: {
    schema: z.nullable(id),
    by: documented,
    seenBy: everyone,
    ofOrganization: true,
    inEvents: 'value',
  },
  organization_id: {
    schema: z.optional(z.nullable(id)),
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  default_organization_roles: {
    schema: z.optional(z.nullable(givenRoles)),
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  exempt_users: {
    schema: z.optional(z.array(id).check(z.maxLength(exemptUsersMax))),
    by: administrators,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  attribute_mapping: {
    schema: z.optional(AttributeMapping),
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  required_authn_contexts: {
    schema: authnContexts,
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
  multi_factor_authn_contexts: {
    schema: authnContexts,
    by: documented,
    seenBy: administrators,
    ofOrganization: true,
    inEvents: 'value',
  },
} as const satisfies Readonly<Record<string, ConnectionSetting>>

const stays = docs && 'Omitted in a change, it stays as it is. Only administrators see it.'
const {
  organization_id,
  default_organization_roles,
  required_for_domains,
  exempt_users,
  attribute_mapping,
  required_authn_contexts,
  multi_factor_authn_contexts,
} = connectionSettings

/** The fields whose texts are the same for connections of every kind. */
export const connectionRules = {
  organization_id: settable(
    organization_id.schema,
    docs &&
      'The ID of the organization that the connection belongs to, or null if it is for the whole service. What it signs in counts only in this organization. Only a new connection can set it. Default: null. Only administrators see it.',
    organization_id,
  ),
  default_organization_roles: settable(
    default_organization_roles.schema,
    docs &&
      `The roles with which a person who signs in with the connection of an organization becomes a member of it, never \`owner\`. Null if nobody joins by signing in. Always null without an organization. Default: \`member\`. ${stays}`,
    default_organization_roles,
  ),
  required_for_domains: settable(
    required_for_domains.schema,
    docs &&
      `Whether people with a verified email address in a proven or vouched domain of the connection can sign in only with it. Default: \`false\`. ${stays}`,
    required_for_domains,
  ),
  exempt_users: settable(
    exempt_users.schema,
    docs &&
      `The IDs of at most ${exemptUsersMax} users who can sign in in other ways nevertheless, such as for emergencies. Default: an empty list. ${stays}`,
    exempt_users,
  ),
  attribute_mapping: settable(
    attribute_mapping.schema,
    docs &&
      `Which attributes or claims the facts about a user are read from. An omitted entry stays as it is. ${stays}`,
    attribute_mapping,
  ),
  required_authn_contexts: settable(
    required_authn_contexts.schema,
    docs &&
      `The ways of signing in at the identity provider that count, one of which each sign-in must state: values of \`AuthnContextClassRef\` (SAML Core 2.7.2.2) or \`acr\`. They are requested, too. An empty list accepts all. Default: an empty list. ${stays}`,
    required_authn_contexts,
  ),
  multi_factor_authn_contexts: settable(
    multi_factor_authn_contexts.schema,
    docs &&
      `The ways of signing in at the identity provider that count as two factors here: values of \`AuthnContextClassRef\`, \`acr\` or \`amr\`. Default: an empty list. ${stays}`,
    multi_factor_authn_contexts,
  ),
}

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
