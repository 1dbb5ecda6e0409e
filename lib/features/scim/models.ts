import * as z from 'zod/mini'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleTimes,
} from '../../accounts/example-values.models.ts'
import { exampleOf } from '../../kernel/contract/describe.ts'
import {
  dateTime,
  flag,
  id,
  integer,
  nonEmptyText,
  nullableDateTime,
  text255,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { scimTokensPerConnection } from '../../kernel/limits/connection-limits.ts'
import { givenRoles } from '../organizations/models.ts'
import { attributeSources } from '../provisioning/attribute-sources.models.ts'

const enabled = field(
  flag,
  docs &&
    'Whether the directory of the customer may send people and groups. While it may, sign-ins create accounts only for people whom it sent, unless `creates_unknown_users` is true.',
)

const matchTo = field(
  z.enum(['external_id', 'user_name']),
  docs &&
    'What a first sign-in is compared with: `externalId` or `userName` of the people whom the directory sent.',
)

const matchAttribute = field(
  z.nullable(text255),
  docs &&
    'The attribute or claim of a sign-in that has this value, such as `oid`. Null for the name that identifies people at this connection: the NameID, or `sub`.',
)

const createsUnknownUsers = field(
  flag,
  docs && 'Whether a sign-in also creates an account for people whom the directory did not send.',
)

export const ScimGroupRoles = model(
  {
    group: field(text255, docs && 'The `displayName` of the group, compared without case.'),
    roles: field(
      givenRoles,
      docs &&
        'The keys of the roles. Built-in roles, roles that only the service gives, and roles with permissions that start with `org:` are not possible.',
    ),
  },
  docs && {
    description: 'What a group of a directory gives to its members.',
    example: { group: 'Finance', roles: ['accountant'] },
  },
)
export type ScimGroupRoles = z.output<typeof ScimGroupRoles>

const groupRoles = z.array(ScimGroupRoles).check(z.maxLength(100))
const groupRolesText =
  'The roles in the organization of the connection that groups of the directory give to their members. Who leaves a group loses what it gave, and nothing else. A change has an effect at the next sign-in of a person, or at the next change of a group. Empty for a connection of the whole service. Its groups give groups of the same name that `allowed_groups` lists.'
const allowsLocalChangesText =
  'Whether people may change here what the directory gave: names, addresses and groups of the accounts that it brought, and roles of its groups. Otherwise that is a 409 with the reason `managed_by_directory`. Ending access is always possible.'

export const ScimUserAttribute = model(
  {
    from: field(
      z.enum(attributeSources),
      docs &&
        'The attribute of the directory. `work_phone` is the value of `phoneNumbers` with the type `work`, and `manager` the `value` of `manager`.',
    ),
    to: field(
      text255,
      docs && { description: 'The name of a user attribute of this service.', example: 'department' },
    ),
  },
  docs && {
    description: 'An attribute that accounts get from a directory.',
    example: { from: 'department' as const, to: 'department' },
  },
)
export type ScimUserAttribute = z.output<typeof ScimUserAttribute>

const userAttributes = z.array(ScimUserAttribute).check(z.maxLength(attributeSources.length))
const userAttributesText =
  'The attributes of people that become user attributes of their accounts. Only administrators of this service change it: managers of an organization can repeat it. An attribute that is removed afterwards gets nothing. A change has an effect at the next sign-in of a person, or at the next change that the directory sends.'
const clientIdDescription = {
  description:
    'The `client_id` of a registered confidential client with keys. It can send people with an access token of ten minutes instead of a token of the connection. It gets one by `client_credentials` and its key (RFC 7523), with the scope `scim` and `base_url` as `resource`. Null for none.',
  example: exampleClientId,
}

export const ScimToken = model(
  {
    id: field(id, docs && 'The ID of the token. It is not secret.'),
    created_by: field(id, docs && 'The ID of the user who created the token.'),
    created_at: field(dateTime, docs && 'When the token was created: ISO 8601, UTC.'),
    last_used_at: field(
      nullableDateTime,
      docs &&
        'When the token was last used: ISO 8601, UTC, with a precision of one hour. Null if it was never used.',
    ),
  },
  docs && {
    description: 'A token of a directory without its value.',
    example: {
      id: exampleIds.scimToken,
      created_by: exampleIds.user,
      created_at: exampleTimes.created,
      last_used_at: exampleTimes.signedIn,
    },
  },
)
export type ScimToken = z.output<typeof ScimToken>

export const ScimTokenWithSecret = model(
  {
    id: field(id, docs && 'The ID of the token. It is not secret.'),
    token: field(
      nonEmptyText,
      docs &&
        'The value of the token, with the prefix `lkm_`. Shown once: enter it in the directory now, which sends it as `Authorization: Bearer`.',
    ),
  },
  docs && {
    description: `A new token of a directory with its value. No other response contains the value. A connection has up to ${scimTokensPerConnection}.`,
    example: { id: exampleIds.scimToken, token: exampleCredentials.scimToken },
  },
)
export type ScimTokenWithSecret = z.output<typeof ScimTokenWithSecret>

export const ScimSettings = model(
  {
    enabled,
    match_to: matchTo,
    match_attribute: matchAttribute,
    creates_unknown_users: createsUnknownUsers,
    group_roles: field(z.optional(groupRoles), docs && `${groupRolesText} Omitted in a change, they stay.`),
    client_id: field(z.optional(z.nullable(text255)), docs && clientIdDescription),
    allows_local_changes: field(
      z.optional(flag),
      docs && `${allowsLocalChangesText} Omitted in a change, it stays.`,
    ),
    user_attributes: field(
      z.optional(userAttributes),
      docs && `${userAttributesText} Omitted in a change, it stays.`,
    ),
  },
  docs && {
    description: 'How a connection takes people and groups from the directory of a customer (SCIM 2.0).',
    example: {
      enabled: true,
      match_to: 'user_name' as const,
      match_attribute: null,
      creates_unknown_users: false,
      group_roles: [],
      client_id: null,
      allows_local_changes: false,
      user_attributes: [],
    },
  },
)
export type ScimSettings = z.output<typeof ScimSettings>

export const ScimState = model(
  {
    enabled,
    match_to: matchTo,
    match_attribute: matchAttribute,
    creates_unknown_users: createsUnknownUsers,
    group_roles: field(groupRoles, docs && groupRolesText),
    client_id: field(z.nullable(text255), docs && clientIdDescription),
    allows_local_changes: field(flag, docs && allowsLocalChangesText),
    user_attributes: field(userAttributes, docs && userAttributesText),
    base_url: field(nonEmptyText, docs && 'The address that the directory sends its requests to.'),
    user_count: field(integer, docs && 'How many people the directory has sent.'),
    group_count: field(integer, docs && 'How many groups the directory has sent.'),
    last_sync_at: field(
      nullableDateTime,
      docs && 'When the directory last sent a request: ISO 8601, UTC. Null if it never did.',
    ),
    tokens: field(z.array(ScimToken), docs && 'The tokens of the directory, the oldest first.'),
  },
  docs && {
    description: 'What the directory of a connection may do, and what it has sent.',
    example: {
      ...exampleOf(ScimSettings),
      group_roles: [],
      client_id: null,
      allows_local_changes: false,
      user_attributes: [],
      base_url: `https://auth.example.com/scim/v2/${exampleIds.oidcConnection}`,
      user_count: 40,
      group_count: 3,
      last_sync_at: exampleTimes.signedIn,
      tokens: [exampleOf(ScimToken)],
    },
  },
)
export type ScimState = z.output<typeof ScimState>
