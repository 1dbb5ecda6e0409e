import * as z from 'zod/mini'
import { exampleOf } from '../../kernel/contract/describe.ts'
import {
  anyText,
  dateTime,
  flag,
  id,
  readOnlyFlag,
  readOnlyTexts,
  text255,
} from '../../kernel/contract/fields.ts'
import {
  changes,
  compose,
  field,
  model,
  selectSeenBy,
  settable,
  toFields,
} from '../../kernel/contract/model.ts'
import { externalSourceForm, externalSourceRule, ownSubjectPrefix } from '../../kernel/contract/text-rules.ts'
import {
  exampleUserDetailFields,
  exampleUserMemberFields,
  userChangeDescriptions,
  userChangeFields,
  userDetailDescriptions,
  userDetailFields,
  userMemberDescriptions,
  userMemberFields,
} from '../../published-clients/user-fields.ts'
import { exampleIds } from '../example-values.models.ts'
import { AttributeOfUser } from './attributes.models.ts'
import { keptByDirectories } from './kept-by-directory.models.ts'
import { exampleUserFields, settableUserFields, userFields, verifiers } from './user-fields.models.ts'

/** User 7 as a member of a group. */
export const exampleMember = docs && { ...exampleUserFields, ...exampleUserMemberFields }

const memberFields = compose(() => ({
  ...selectSeenBy(userFields, 'service'),
  ...toFields(userMemberFields, docs && userMemberDescriptions),
}))

/** A user as a member of a group. */
export const ServiceUser = model(
  memberFields,
  docs && {
    description:
      'A user as a member of a group. In very large groups, the lists of the last members are empty, such as their permissions. Read the user to get them.',
    example: exampleMember,
  },
)
export type ServiceUser = z.output<typeof ServiceUser>

/** A reference to a user in another body. */
export const ServiceUserReference = model(
  {
    id: field(id, docs && 'The ID of an existing user.'),
  },
  docs && { description: 'A user who is named by their ID.', example: { id: exampleIds.user } },
)
export type ServiceUserReference = z.output<typeof ServiceUserReference>

/** The invitation of a user, as those who manage users see it. */
export const UserInvitationState = model(
  {
    state: field(
      z.enum(['pending', 'accepted', 'expired']),
      docs &&
        '`pending`: the link works. `accepted`: the user signed in with it. `expired`: it was not used in time. Ignore values that you do not know.',
    ),
    sent_at: field(
      z.nullable(dateTime),
      docs &&
        'When the invitation was sent: ISO 8601, UTC. Null while its email waits, or if it may not have been sent.',
    ),
    expires_at: field(dateTime, docs && 'When the link stops working: ISO 8601, UTC.'),
    invited_by: field(
      z.nullable(id),
      docs && {
        description:
          'The ID of the inviter, who may have been deleted since. Null for the first administrator, whom the deployment invited.',
        example: 1,
      },
    ),
  },
  docs && {
    description: 'The invitation of a user, for those who manage users. It never contains the link.',
    example: {
      state: 'pending' as const,
      sent_at: '2026-01-31T12:00:00.000Z',
      expires_at: '2026-02-07T12:00:00.000Z',
      invited_by: 1,
    },
  },
)
export type UserInvitationState = z.output<typeof UserInvitationState>

/** The terms that a user accepted when they signed up. */
export const AcceptedTerms = model(
  {
    version: field(text255, docs && 'The version of the terms, as the sign-up policy named it.'),
    accepted_at: field(dateTime, docs && 'When the user accepted them: ISO 8601, UTC.'),
  },
  docs && {
    description: 'The terms that a user accepted when they signed up.',
    example: { version: '2026-01', accepted_at: '2026-01-31T12:00:00.000Z' },
  },
)

/** A user in the system that they were imported from. */
export const ExternalId = model(
  {
    source: field(
      z.string().check(z.regex(externalSourceForm, externalSourceRule)),
      docs && 'The name of the system, as the import named it: lower-case letters, digits and hyphens.',
    ),
    id: field(
      text255.check(
        z.refine((id) => !id.startsWith(ownSubjectPrefix), `must not begin with ${ownSubjectPrefix}`),
      ),
      docs && 'The ID of the user there. No other user has the same ID of this source.',
    ),
  },
  docs && {
    description: 'A user in the system that they were imported from.',
    example: { source: 'keycloak', id: '0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d' },
  },
)
export type ExternalId = z.output<typeof ExternalId>

/** What those hold together who decided how a user signs in. */
export const UserRightsLimit = model(
  {
    permissions: field(
      readOnlyTexts,
      docs && 'The permissions. `system:admin-access` includes every other one.',
    ),
    excludes_privileged: field(
      readOnlyFlag,
      docs &&
        '`true` if an API token or a company connection was among them: then neither `system:admin-access` nor `users:manage` counts.',
    ),
  },
  docs && {
    description:
      'What those hold together who decided how a user signs in: by a password, an address, an invitation, or an account at an identity provider. They may be able to sign in as the user.',
    example: { permissions: ['system:admin-access'], excludes_privileged: true },
  },
)

/** The request of a user to delete their account. */
export const DeletionRequest = model(
  {
    requested_at: field(dateTime, docs && 'When the user asked for it: ISO 8601, UTC.'),
    due_at: field(
      z.nullable(dateTime),
      docs &&
        'When the account is deleted, if the sign-in policy has `after_grace`: ISO 8601, UTC. Null if administrators decide.',
    ),
  },
  docs && {
    description: 'The request of a user to delete their own account.',
    example: { requested_at: '2026-01-31T12:00:00.000Z', due_at: '2026-02-14T12:00:00.000Z' },
  },
)

/** The fields that also servers see which exchange a ticket for a user. */
export const sharedUserFields = compose(() => ({
  ...selectSeenBy({ ...userFields, groups: settableUserFields.groups }, 'service'),
  ...toFields(userDetailFields, docs && userDetailDescriptions),
}))

/** User 7, a member of group 3. */
export const exampleUserDetail = docs && {
  ...exampleUserFields,
  groups: [exampleIds.group],
  ...exampleUserDetailFields,
}

const detailFields = compose(() => ({
  ...sharedUserFields,
  invitation: field(
    z.optional(z.readonly(z.nullable(UserInvitationState))),
    docs &&
      'The invitation of the user, or null if there is none or it ended. Only operations under `/api/2/users` for those who manage users have it.',
  ),
  accepted_terms: field(
    z.optional(z.readonly(z.nullable(AcceptedTerms))),
    docs && 'The terms that the user accepted when they signed up, or null. Present where `invitation` is.',
  ),
  external_id: field(
    z.optional(ExternalId),
    docs &&
      'The user in the system that they were imported from, or the one of a user who was merged with this one. Missing if an import did not name it, and where `invitation` is missing.',
  ),
  created_at: field(
    z.optional(z.readonly(dateTime)),
    docs &&
      'When the user was created: ISO 8601, UTC. For an imported user, when they registered in the system before. Missing where `invitation` is missing.',
  ),
  has_legacy_password: field(
    z.optional(readOnlyFlag),
    docs &&
      '`true` while only the system that the user was imported from knows the password: until the first sign-in, or another password. Missing for others, and where `invitation` is missing.',
  ),
  attributes: field(
    settableUserFields.attributes.schema,
    docs &&
      'The attributes that the service defines and the user has: see `get_user_attributes`. Missing where `invitation` is.',
  ),
  withheld_permissions: field(
    z.optional(readOnlyTexts),
    docs &&
      'Permissions of groups that have no effect, because a person or a company connection that lacks them decided how the user signs in. They work after a holder of them has set the password or the address, or linked an account. For service accounts, `system:admin-access` and `users:manage` of groups never have an effect. Missing if there are none, and where `invitation` is missing.',
  ),
  rights_limit: field(
    z.optional(UserRightsLimit),
    docs &&
      'What those hold who decided how the user signs in, if that is not everything. A further permission starts the account anew: see `patch_user`. Missing if there is no limit, and where `invitation` is missing.',
  ),
  verified_by: field(
    z.optional(z.readonly(z.enum(verifiers))),
    docs &&
      'Who vouched for the email address: `administrator`, `company`, `import`, `invitation`, `link` or `provider`. `company` is a company connection whose domain is proven. `link` is an emailed link that was opened. `provider` is a public provider that is the authority for the domain. Ignore values that you do not know. Missing without a verified address, and where `invitation` is missing.',
  ),
  kept_by_directories: keptByDirectories,
  deletion: field(
    z.optional(DeletionRequest),
    docs &&
      'The request of the user to delete their account. Missing if there is none, and where `invitation` is missing.',
  ),
}))

export const ServiceUserDetail = model(
  detailFields,
  docs && {
    description:
      'A user with all fields. Passwords and other secrets are never part of it. In sessions of access links, and for tickets of API tokens with scopes, permissions and groups are limited.',
    example: {
      ...exampleUserDetail,
      invitation: null,
      accepted_terms: null,
      created_at: '2026-01-31T12:00:00.000Z',
      verified_by: 'link' as const,
      attributes: [exampleOf(AttributeOfUser)],
    },
  },
)
export type ServiceUserDetail = z.output<typeof ServiceUserDetail>

const changeFields = compose(() => {
  const { permissions, username, groups, ...others } = settableUserFields
  return {
    ...others,
    ...toFields(userChangeFields, docs && userChangeDescriptions),
    permissions,
    username,
    groups,
  }
})

export const ServiceUserDetailUpdate = changes(
  changeFields,
  docs && {
    description:
      'All settable fields of a user. Omitted fields return to their defaults. Read-only fields of a user are accepted and ignored.',
    example: {
      username: 'ada',
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      permissions: ['projects:view'],
      groups: [exampleIds.group],
      language: 'en' as const,
    },
  },
  ['permissions', 'username', 'groups'],
)
export type ServiceUserDetailUpdate = z.output<typeof ServiceUserDetailUpdate>

const creationFields = compose(() => ({
  ...changeFields,
  invite: settable(
    flag,
    docs &&
      'With `true`, the user gets an email with an invitation: see `invite_user`. It needs an email address. Default: `false`.',
  ),
}))

/** A new user. `invite` is an extension: it sends an invitation in the same step. */
export const ServiceUserDetailCreation = changes(
  creationFields,
  docs && {
    description: 'A new user. Read-only fields of a user are accepted and ignored.',
    example: {
      username: 'grace',
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      permissions: [],
      groups: [exampleIds.group],
      invite: true,
    },
  },
  ['permissions', 'username', 'groups'],
)
export type ServiceUserDetailCreation = z.output<typeof ServiceUserDetailCreation>

export const ServiceUserDetailPartialUpdate = changes(
  changeFields,
  docs && {
    description: 'Changes of a user. Omitted fields keep their values.',
    example: { full_name: 'Ada King', is_enabled: true },
  },
)
export type ServiceUserDetailPartialUpdate = z.output<typeof ServiceUserDetailPartialUpdate>

/** What a dialog showed of the two users. */
export const UserMergeShown = model(
  {
    display_name: field(anyText, docs && 'The `display_name` of the user who stays.'),
    other_display_name: field(anyText, docs && 'The `display_name` of the user who ends.'),
    other_username: field(anyText, docs && 'The username of the user who ends.'),
  },
  docs && {
    description: 'What a dialog showed of two users before they are merged.',
    example: { display_name: 'Ada Lovelace', other_display_name: 'A. Lovelace', other_username: 'ada2' },
  },
)

export const UserMergeCreate = model(
  {
    user: field(id, docs && 'The ID of the user who ends.'),
    shown: field(
      z.optional(UserMergeShown),
      docs && 'What a dialog showed of both. If that has changed since, nothing is merged.',
    ),
  },
  docs && {
    description: 'The user who becomes part of another one.',
    example: { user: exampleIds.otherUser },
  },
)
export type UserMergeCreate = z.output<typeof UserMergeCreate>

export const UserMerge = model(
  {
    is_complete: field(flag, docs && 'Whether everything was moved. If not, repeat the request.'),
    api_tokens: field(z.int(), docs && 'The number of API tokens that it moved.'),
    company_accounts: field(z.int(), docs && 'The number of accounts at identity providers that it moved.'),
    access_links: field(
      z.int(),
      docs && 'The number of access links that the other user had created and it moved.',
    ),
  },
  docs && {
    description: 'What one request moved from a user to another.',
    example: { is_complete: true, api_tokens: 2, company_accounts: 1, access_links: 14 },
  },
)
export type UserMerge = z.output<typeof UserMerge>
