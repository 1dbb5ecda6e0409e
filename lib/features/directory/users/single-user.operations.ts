import * as z from 'zod/mini'
import { userBodyNames } from '../../../accounts/users/user-field-names.models.prebuilt.ts'
import {
  ServiceUserDetail,
  ServiceUserDetailPartialUpdate,
  ServiceUserDetailUpdate,
  UserMerge,
  UserMergeCreate,
} from '../../../accounts/users/users.models.ts'
import { withPermission, withPermissionBySession } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import {
  userIdDescription,
  userPartDescriptions,
} from '../../../kernel/contract/descriptions/common-texts.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryUserParts } from '../../../kernel/contract/query.ts'
import { userViewDescriptions, userViewParameters } from '../../../published-clients/user-fields.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')
const user = writable(ServiceUserDetailUpdate, userBodyNames)

/** What both operations that change a user have in common. */
const userChange = {
  responses: { 200: docs && ServiceUserDetail },
  errors: ['not_found', 'conflict', 'permission_denied'],
  localChange: 'refused',
  recentAuthentication: 'for_sign_in_and_rights',
  audit: [
    'api_token.deleted',
    'email.claim_ended',
    'user.renamed',
    'user.changed',
    'user.started_anew',
    'admin_access.given',
    'admin_access.taken',
    'company_account.unlinked',
    'passkey.removed',
  ],
  decidesSignIn: 'caller',
} as const

/** Operations on one user. */
export const usersSingle = {
  getUser: defineOperation({
    id: 'get_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}',
    access: view,
    summary: 'Get a user',
    query: z.strictObject({ ...queryUserParts, ...userViewParameters }),
    responses: { 200: docs && ServiceUserDetail },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets a user with their own and effective permissions.',
        parameters: { id: userIdDescription, ...userPartDescriptions, ...userViewDescriptions },
        responses: { 200: [{ summary: 'A user', value: exampleOf(ServiceUserDetail) }] },
      })),
  }),
  updateUser: defineOperation({
    id: 'update_user',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Replace a user',
    body: user,
    ...userChange,
    text:
      docs &&
      describe(() => ({
        description: `Replaces all fields of a user that can be changed. Fields that you leave out get their default, so send back what you
read with \`get_user\`, with your changes. Read-only fields are ignored. To change single fields, use \`patch_user\`.

The rules and effects are those of \`patch_user\`.`,
        parameters: { id: userIdDescription },
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
      })),
  }),
  patchUser: defineOperation({
    id: 'patch_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Update some fields of a user',
    body: writable(ServiceUserDetailPartialUpdate, userBodyNames),
    ...userChange,
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of a user that the body contains. Changes of permissions and groups count from the next request of the
user. Disabling a user, or an expiry in the past, ends all of their sessions and tickets.

If the user has a \`rights_limit\`, a permission beyond it starts the account anew, also by a group in \`groups\`. All sessions end, and so do the password,
second factor, passkeys, API tokens and accounts at identity providers that were added since the limit. The user gets an email.

Callers can change only users whose permissions they hold themselves. There must always be an enabled administrator without
an expiry: otherwise the response is 409. A changed email address follows the rules of \`create_user\`, and the old address
gets an email about it. If the company of the user requires its sign-in, only an administrator changes the address: for others, the
response is 403 with the reason \`sso_required\`.`,
        parameters: { id: userIdDescription },
        request: [
          { summary: 'Disable a user', value: { is_enabled: false } },
          { summary: 'Other groups and permissions', value: { groups: [3], permissions: ['media:access'] } },
        ],
        responses: { 200: [{ summary: 'The changed user', value: exampleOf(ServiceUserDetail) }] },
      })),
  }),
  mergeUser: defineOperation({
    id: 'merge_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/merge',
    access: withPermissionBySession('system:admin-access'),
    summary: 'Make one user of two',
    body: UserMergeCreate,
    responses: { 200: docs && UserMerge },
    errors: ['not_found', 'conflict'],
    localChange: 'ends_access',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: [
      'user.changed',
      'user.deleted',
      'user.merged',
      'admin_access.taken',
      'user.started_anew',
      'api_token.deleted',
      'company_account.unlinked',
      'passkey.removed',
      'organization.member_removed',
      'organization.member_added',
      'organization.member_changed',
    ],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Merges another user into this one, for a person who has two accounts. This user keeps their ID and all they have. They get the API tokens,
access links, groups and accounts at identity providers of the other user. Tokens and links work as before, with the permissions of this
user. The audit events of both are listed together.


The other user does not exist any more. Their sessions, password, passkeys, second factor, access of clients and own permissions end. Their username and
email address are free. An API token that was revoked stays revoked.

If someone with fewer rights decided how one of the two signs in, this user is limited like both. If both together have rights that this
person lacks, all that this person may know ends instead: sessions, passwords, passkeys, API tokens and accounts at identity providers that
were added since.

The response is 409 if one of them is a guest, or if the other user is you or the last administrator. It is also 409 if this user would have too
many API tokens or accounts. If \`is_complete\` is false or a request fails, repeat it, and it continues.`,
        parameters: { id: userIdDescription },
        request: [{ summary: 'The other user', value: exampleOf(UserMergeCreate) }],
        responses: { 200: [{ summary: 'What was moved', value: exampleOf(UserMerge) }] },
      })),
  }),
  deleteUser: defineOperation({
    id: 'delete_user',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}',
    access: manage,
    summary: 'Delete a user',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    localChange: 'ends_access',
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['access_token.deleted', 'user.deleted', 'admin_access.taken', 'organization.member_removed'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes a user. Their sessions, tickets, API tokens, passkeys and access links stop working at once, also the links that
they received. The ID is never used again. The username and the email address are free for other users.

The last administrator cannot be deleted: the response is 409. If a request fails, repeat it, and it continues the cleanup.`,
        parameters: { id: userIdDescription },
      })),
  }),
}
