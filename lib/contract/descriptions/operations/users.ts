import { entriesSearchedPerPage } from '../../../limits/limits.ts'
import { ServiceUserProfile } from '../../models/profile.ts'
import { ServiceUserDetail } from '../../models/user-detail.ts'
import type { users } from '../../operations/users.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { filteringMode } from '../filtering-mode.ts'
import { userSecurityTexts } from './user-security.ts'
import { usersSamlAccountsTexts } from './users-saml-accounts.ts'

const id = { description: 'The ID of the user.', example: 7 } as const

const include = {
  include_allowed_fs_paths:
    'Known to published clients. It changes nothing: `allowed_fs_paths` is always null in this service.',
  include_effective_permissions:
    'With `false`, `effective_permissions` is an empty list. Without this parameter, the permissions are shown.',
} as const

export const usersTexts: OperationTexts<typeof users> = {
  getCurrentUser: {
    description: `Gets the profile of the user whom the credential belongs to. It is the way to ask "who is calling, and what may they do?".
The answer is current at each request: after a logout, or if the user was disabled, it is a 401.

\`effective_permissions\` lists what the user may do, their own permissions and those of their groups. For an API token with
scopes, it lists only the permissions within the scopes. During an impersonation, \`impersonated_by\` is the administrator.`,
    parameters: {},
    responses: { 200: [{ summary: 'The profile of a user', value: exampleOf(ServiceUserProfile) }] },
  },
  updateCurrentUser: {
    description: `Updates the profile of the current user: name, language, start page and bookmarks. Fields that you leave out stay as they
are. Read-only fields are ignored, so that a client can send back what it read. Sessions that an access link opened cannot
use it. The audit event is \`user.changed\`.`,
    parameters: {},
    request: [
      {
        summary: 'Another name and language',
        value: { full_name: 'Ada King', language: 'de' },
      },
    ],
    responses: { 200: [{ summary: 'The changed profile', value: exampleOf(ServiceUserProfile) }] },
  },
  updateProfile: {
    description: `Replaces the profile of the current user: name, language, start page and bookmarks. Fields that you leave out get their
default, so send back what you read with \`get_current_user\`, with your changes. To change single fields, use
\`update_current_user\`, whose rules and audit event are the same.`,
    parameters: {},
    request: [
      {
        summary: 'All fields of a profile',
        value: {
          full_name: 'Ada King',
          language: 'de',
          default_page: '/library',
          fm_bookmarks: ['/projects'],
        },
      },
    ],
    responses: { 200: [{ summary: 'The changed profile', value: exampleOf(ServiceUserProfile) }] },
  },
  getAllUsers: {
    description: `Lists users with their own and effective permissions. All filters must match. Without filters, it lists all users, also
disabled ones and guests of access links.

\`filter\` searches names and email addresses. Case, compatibility forms of Unicode and the amount of white space make no
difference. A page searches ${entriesSearchedPerPage.toLocaleString('en-US')} users. In a larger directory, follow the \`Link\` header, also from
an empty page.`,
    parameters: {
      full_name: {
        description: 'Only users with exactly this full name. Upper and lower case are the same.',
        example: 'Ada Lovelace',
      },
      filter: {
        description:
          'A text to search for in usernames, full names and email addresses. An empty text selects all users.',
        example: 'love',
      },
      filtering_mode: filteringMode,
      is_cloud: {
        description: 'Only users whose stored `is_cloud` is this value.',
        example: 'false',
      },
      home: {
        description: 'Only users whose stored `home` is this number. Any other text selects no user.',
        example: '12',
      },
      ...include,
      include_client_sessions:
        'Known to earlier published clients. It changes nothing: this service has no client sessions.',
      username: {
        description: 'Only the user with exactly this username. Upper and lower case are the same.',
        example: 'ada',
      },
      email: {
        description: 'Only users with exactly this email address. Upper and lower case are the same.',
        example: 'ada@example.com',
      },
      email_state: {
        description:
          'Only users whose email address is `verified` or `unverified`, or who have none. The address of a guest of an access link is unverified.',
        example: 'unverified',
      },
      invitation: {
        description:
          'Only users with an invitation in this state. A revoked invitation, and one that ended in another way, has none.',
        example: 'pending',
      },
      is_enabled: {
        description: 'Only enabled users with `true`, only disabled users with `false`.',
        example: 'true',
      },
      groups: { description: 'Only members of this group, by its ID.', example: 3 },
    },
    responses: { 200: [{ summary: 'Users', value: [exampleOf(ServiceUserDetail)] }] },
  },
  createUser: {
    description: `Creates a user without a password. To let them in, invite them: send \`invite\` with \`true\`, or call \`invite_user\` later. Or
set a password with \`set_user_password\`. Users of an identity provider need neither.

Callers can give only permissions that they hold themselves, directly or through groups. A taken username or email address
is a 409. An email address that an administrator sets counts as verified. An address that other managers of users set gets
an email with a link that confirms it. The audit event is \`user.created\`.`,
    parameters: {},
    request: [
      {
        summary: 'A user in a group',
        value: {
          username: 'grace',
          full_name: 'Grace Hopper',
          email: 'grace@example.com',
          permissions: [],
          groups: [3],
        },
      },
      {
        summary: 'A user who is invited at once',
        value: {
          username: 'katherine',
          email: 'katherine@example.com',
          permissions: [],
          groups: [],
          invite: true,
        },
      },
      {
        summary: 'A user for a machine, until the end of 2027',
        value: {
          username: 'nightly-export',
          permissions: ['users:view'],
          groups: [],
          expiry: '2027-12-31T23:00:00Z',
        },
      },
    ],
    responses: { 201: [{ summary: 'The new user', value: exampleOf(ServiceUserDetail) }] },
  },
  getUser: {
    description: 'Gets a user with their own and effective permissions.',
    parameters: { id, ...include },
    responses: { 200: [{ summary: 'A user', value: exampleOf(ServiceUserDetail) }] },
  },
  updateUser: {
    description: `Replaces all fields of a user that can be changed. Fields that you leave out get their default, so send back what you
read with \`get_user\`, with your changes. Read-only fields are ignored. To change single fields, use \`patch_user\`.

The rules and effects are those of \`patch_user\`.`,
    parameters: { id },
    request: [
      {
        summary: 'All fields of a user',
        value: {
          username: 'ada',
          full_name: 'Ada Lovelace',
          email: 'ada@example.com',
          permissions: ['media:access'],
          groups: [3],
          language: 'en',
          is_enabled: true,
        },
      },
    ],
    responses: { 200: [{ summary: 'The changed user', value: exampleOf(ServiceUserDetail) }] },
  },
  patchUser: {
    description: `Changes the fields of a user that the body contains. Changes of permissions and groups count from the next request of the
user. Disabling a user, or an expiry in the past, ends all of their sessions and tickets.

Callers can change only users whose permissions they hold themselves. There must always be an enabled administrator without
an expiry: otherwise the response is 409. A changed email address follows the rules of \`create_user\`, and the old address
gets an email about it. The audit event is \`user.changed\`.`,
    parameters: { id },
    request: [
      { summary: 'Disable a user', value: { is_enabled: false } },
      { summary: 'Other groups and permissions', value: { groups: [3], permissions: ['media:access'] } },
    ],
    responses: { 200: [{ summary: 'The changed user', value: exampleOf(ServiceUserDetail) }] },
  },
  deleteUser: {
    description: `Deletes a user. Their sessions, tickets, API tokens, passkeys and access links stop working at once, also the links that
they received. The ID is never used again. The username and the email address are free for other users.

The last administrator cannot be deleted: the response is 409. If a request fails, repeat it, and it continues the cleanup.
The audit event is \`user.deleted\`.`,
    parameters: { id },
  },
  endUserSessions: {
    description: `Signs a user out everywhere: all of their sessions, tickets and password reset links end at once. Their API tokens keep
working. The user can sign in again. The audit event is \`session.ended\`.`,
    parameters: { id },
  },
  ...userSecurityTexts,
  ...usersSamlAccountsTexts,
}
