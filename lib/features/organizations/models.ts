import * as z from 'zod/mini'
import { exampleIds, exampleTimes, exampleUserMini } from '../../accounts/example-values.models.ts'
import { DirectoryRoles } from '../../accounts/users/kept-by-directory.models.ts'
import { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
import {
  anyText,
  dateTime,
  displayText,
  flag,
  givenPermission,
  id,
  integer,
  text255,
  texts,
} from '../../kernel/contract/fields.ts'
import { changes, field, listInitials, model, settable, sharedFields } from '../../kernel/contract/model.ts'
import { APITexts } from '../oauth/protected-apis.models.ts'
import { hasAddress, roleForm, slugForm } from './text-rules.models.ts'

const longestName = 100
export const mostRolesOfMember = 10
const mostRoles = 40
const mostPermissions = 100

export const organizationName = (maximum: number) =>
  displayText(maximum).check(z.refine((name) => !hasAddress(name), 'must not contain an address or a link'))

const organizationSlug = z
  .string()
  .check(
    z.regex(
      slugForm,
      'must be 2 to 50 lower-case letters, digits and single hyphens, beginning with a letter',
    ),
  )

const roleKey = z
  .string()
  .check(z.regex(roleForm, 'must be up to 40 lower-case letters, digits, - and _, beginning with a letter'))
export const givenRoles = z
  .array(roleKey)
  .check(z.minLength(1, 'must contain a role'), z.maxLength(mostRolesOfMember))

const exampleNewOrganization = docs && {
  name: 'Acme Studios',
  slug: 'acme',
  external_id: 'crm-4711',
  state: 'active' as const,
  member_limit: 50,
  requires_second_factor: true,
  sign_in_max_age: 28_800,
}
const exampleOrganization = docs && { ...exampleNewOrganization, required_connection: null }

export const FormerSlug = model(
  {
    slug: field(anyText, docs && 'The former slug.'),
    reserved_until: field(dateTime, docs && 'Until when no other organization can have it: ISO 8601, UTC.'),
  },
  docs && {
    description: 'A slug that an organization had.',
    example: { slug: 'acme-films', reserved_until: exampleTimes.end },
  },
)

// Who sets and who sees a field of an organization.
const service = ['service'] as const
const settingsManagers = ['service', 'org:settings:manage'] as const
const signInManagers = ['service', 'org:sign-in:manage'] as const
const members = ['service', 'member'] as const

export const organizationFields = sharedFields({
  id: field(id, docs && 'The ID of the organization. It is never used again.', { seenBy: members }),
  name: settable(
    organizationName(longestName),
    docs &&
      'The name of the organization: 1 to 100 visible characters, without an address or a link. Others may have the same name.',
    { by: settingsManagers, seenBy: members, inEvents: 'value' },
  ),
  slug: settable(
    organizationSlug,
    docs &&
      'A short name for addresses, which no other organization has or had: 2 to 50 lower-case letters, digits and single hyphens, beginning with a letter. Slugs that look alike, such as `acme1` and `acmel`, are the same. A former slug stays reserved for a year. Members change the slug twice in 30 days at most.',
    { by: settingsManagers, seenBy: members, inEvents: 'value' },
  ),
  external_id: settable(
    z.nullable(text255),
    docs &&
      'The ID of the organization in the system of the product, which no other organization has. Only holders of `organizations:manage` set it. Default: null.',
    { initial: null, by: service, seenBy: members, inEvents: 'value' },
  ),
  state: settable(
    z.enum(['active', 'suspended']),
    docs &&
      'A suspended organization keeps its members, but gives no tokens, and those that it gave stop working. Only holders of `organizations:manage` set it. Default: `active`.',
    { initial: 'active', by: service, seenBy: members, inEvents: 'value' },
  ),
  member_limit: settable(
    z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    docs &&
      'How many members the organization can have. Members above a lower limit stay. Only holders of `organizations:manage` set it. Default: null, for no limit.',
    { initial: null, by: service, seenBy: members, inEvents: 'value' },
  ),
  required_connection: settable(
    z.nullable(id),
    docs &&
      'The ID of the connection of the organization that its members sign in with before they get its tokens or manage it. Default: null, for any sign-in.',
    { initial: null, by: signInManagers, seenBy: members, inEvents: 'value' },
  ),
  requires_second_factor: settable(
    flag,
    docs &&
      'Whether that sign-in needs a second factor. With a required connection, its identity provider has to state two. Default: false.',
    { initial: false, by: signInManagers, seenBy: members, inEvents: 'value' },
  ),
  sign_in_max_age: settable(
    z.nullable(z.int().check(z.minimum(300), z.maximum(30 * 86_400))),
    docs &&
      'How old that sign-in can be, in seconds: 300 to 2,592,000, which is 30 days. Refresh tokens of the organization stop working then, too. Default: null, for as old as the session.',
    { initial: null, by: signInManagers, seenBy: members, inEvents: 'value' },
  ),
  member_count: field(integer, docs && 'The number of members.', { seenBy: members }),
  is_ownerless: field(
    flag,
    docs &&
      'Whether no member is an owner, because an administrator removed the last one, or made no first one.',
    { seenBy: members },
  ),
  created_at: field(dateTime, docs && 'When the organization was created: ISO 8601, UTC.', {
    seenBy: members,
  }),
  ends_at: field(
    z.nullable(dateTime),
    docs &&
      'When the organization will be deleted, because an owner asked for it: ISO 8601, UTC. Null if nobody did.',
    { seenBy: members },
  ),
  former_slugs: field(
    z.array(FormerSlug),
    docs &&
      'Slugs that the organization had, and that no other one can have yet: up to 3. Holders of `organizations:manage` release one with `release_organization_slug`.',
    { seenBy: members },
  ),
})

/** The values of a new organization. */
export const newOrganization = listInitials(organizationFields)

export const Organization = model(
  organizationFields,
  docs && {
    description: 'A customer of your products: people with roles, who sign in for it.',
    example: {
      id: exampleIds.organization,
      ...exampleOrganization,
      member_count: 12,
      is_ownerless: false,
      created_at: exampleTimes.created,
      ends_at: null,
      former_slugs: [],
    },
  },
)
export type Organization = z.output<typeof Organization>

/** A new organization has no connection that it could require. */
const { required_connection: _, ...newFields } = organizationFields

export const NewOrganization = changes(
  newFields,
  docs && {
    description: 'A new organization. Omitted fields get their defaults.',
    example: exampleNewOrganization,
  },
  ['name', 'slug'],
)
export type NewOrganization = z.output<typeof NewOrganization>

export const NewOwnOrganization = changes(
  { name: organizationFields.name, slug: organizationFields.slug },
  docs && {
    description: 'A new organization of the current user.',
    example: { name: exampleOrganization.name, slug: exampleOrganization.slug },
  },
  ['name', 'slug'],
)

export const OrganizationChanges = changes(
  organizationFields,
  docs && {
    description: 'Changes of an organization. Omitted fields keep their values.',
    example: { name: 'Acme Film Studios' },
  },
)
export type OrganizationChanges = z.output<typeof OrganizationChanges>

export const exampleRoles = docs && ['admin', 'editor']
export const rolesText =
  docs &&
  'The roles of the member, by their keys: `owner`, `admin`, `member`, or roles that the service declares. Up to 10.'

const memberFields = {
  user: field(ServiceUserMini, docs && 'The user who is a member.'),
  roles: settable(texts, docs && rolesText, { given: givenRoles, inEvents: 'value' }),
  roles_limited: field(
    flag,
    docs &&
      'Whether the roles have no effect, except in sessions that a connection of the organization opened: somebody without `organizations:manage` decided how the member signs in, or nothing but an address leads the company sign-in to the account.',
  ),
  source: field(
    z.enum(['administrator', 'invitation', 'connection', 'import', 'creation']),
    docs &&
      'How the member joined: an `administrator` of the service added them, an `invitation`, the company `connection` of the organization, or an `import`. With `creation`, the member created the organization. Ignore values that you do not know.',
  ),
  joined_at: field(dateTime, docs && 'When the member joined: ISO 8601, UTC.'),
  roles_given_by: field(
    z.nullable(id),
    docs &&
      'The ID of the user who gave the present roles. Null if a connection, an import or an API token of the organization did.',
  ),
  returns_by_sign_in: field(
    z.boolean(),
    docs &&
      'Whether the company sign-in of the organization makes the user a member again after a removal. Remove them with `keep_out` to prevent that.',
  ),
  directory_roles: field(
    z.optional(z.readonly(DirectoryRoles)),
    docs &&
      'The roles that a directory gave and keeps. A change without them is a 409 with the reason `managed_by_directory`. Missing if there are none.',
  ),
}

export const OrganizationMember = model(
  memberFields,
  docs && {
    description: 'A member of an organization.',
    example: {
      user: exampleUserMini,
      roles: exampleRoles,
      roles_limited: false,
      source: 'invitation' as const,
      joined_at: exampleTimes.created,
      roles_given_by: exampleIds.administrator,
      returns_by_sign_in: false,
    },
  },
)
export type OrganizationMember = z.output<typeof OrganizationMember>

export const NewOrganizationMember = model(
  {
    user: field(
      id,
      docs && 'The ID of a user who is no member yet. Guests of access links cannot be members.',
    ),
    roles: field(givenRoles, docs && rolesText),
  },
  docs && { description: 'A new member.', example: { user: exampleIds.user, roles: exampleRoles } },
)
export type NewOrganizationMember = z.output<typeof NewOrganizationMember>

export const OrganizationMemberChanges = model(
  { roles: field(givenRoles, docs && rolesText) },
  docs && { description: 'The roles of a member after the request.', example: { roles: exampleRoles } },
)
export type OrganizationMemberChanges = z.output<typeof OrganizationMemberChanges>

const ownFields = {
  id: organizationFields.id,
  name: field(anyText, docs && 'The name of the organization.'),
  slug: field(anyText, docs && 'The slug of the organization.'),
  roles: field(texts, docs && 'The roles of the user in the organization, by their keys.'),
}
const exampleOwnFields = docs && {
  id: exampleIds.organization,
  name: exampleOrganization.name,
  slug: exampleOrganization.slug,
  roles: exampleRoles,
  permissions: ['films:edit', 'org:members:manage', 'org:members:view'],
}

export const CurrentOrganization = model(
  {
    ...ownFields,
    permissions: field(
      texts,
      docs &&
        'What these roles allow in the organization, sorted. For an API token with scopes, only what is within the scopes.',
    ),
  },
  docs && {
    description: 'The organization that a request is about, with what its user may do there.',
    example: exampleOwnFields,
  },
)
export type CurrentOrganization = z.output<typeof CurrentOrganization>

export const OwnOrganization = model(
  {
    ...ownFields,
    state: field(z.enum(['active', 'suspended']), docs && 'Whether the organization gives tokens.'),
    roles_limited: field(
      flag,
      docs &&
        'Whether the roles that were given have no effect, so that `roles` is empty: somebody without `organizations:manage` decided how the user signs in.',
    ),
    permissions: field(
      texts,
      docs &&
        'What these roles allow in the organization, sorted. Empty while the organization requires another sign-in.',
    ),
    sign_in_url: field(
      z.nullable(anyText),
      docs &&
        'Where the user signs in as the organization requires. Null if the present sign-in is enough. Add `return_to` to come back to your page.',
    ),
    joined_at: field(dateTime, docs && 'When the user joined: ISO 8601, UTC.'),
    ends_at: organizationFields.ends_at,
  },
  docs && {
    description: 'An organization of a user, with their roles in it.',
    example: {
      ...exampleOwnFields,
      state: 'active' as const,
      roles_limited: false,
      sign_in_url: null,
      ends_at: null,
      joined_at: exampleTimes.created,
    },
  },
)
export type OwnOrganization = z.output<typeof OwnOrganization>

const exampleRole = {
  key: 'editor',
  texts: { en: 'Editor', de: 'Redaktion' },
  permissions: ['films:edit'],
  given_by: 'members' as const,
}

export const OrganizationRole = model(
  {
    key: field(
      roleKey,
      docs &&
        'The name of the role in requests and tokens. `owner`, `admin` and `member` are built in: an entry with such a key adds permissions to it.',
    ),
    texts: field(APITexts, docs && 'The name of the role for people.'),
    permissions: field(
      z.array(givenPermission).check(z.maxLength(mostPermissions)),
      docs &&
        'What the role allows: permissions of your APIs, and those of this service that begin with `org:`. Permissions of this service such as `users:manage` are refused. Up to 100.',
    ),
    given_by: field(
      z._default(z.enum(['members', 'service']), 'members'),
      docs &&
        'Who gives and takes the role: `members` whose own roles allow it, or holders of `organizations:manage` alone (`service`). Owners of self-made organizations can give themselves every role of `members`.',
    ),
  },
  docs && {
    description: 'A role that members of organizations can have. It is the same in all organizations.',
    example: exampleRole,
  },
)
export type OrganizationRole = z.output<typeof OrganizationRole>

export const OrganizationRoles = model(
  {
    roles: field(
      z.array(OrganizationRole).check(z.maxLength(mostRoles)),
      docs && 'The roles of your products, in the order in which pages list them: up to 40.',
    ),
  },
  docs && {
    description: 'The roles that the service declares for all organizations.',
    example: { roles: [exampleRole] },
  },
)
export type OrganizationRoles = z.output<typeof OrganizationRoles>
