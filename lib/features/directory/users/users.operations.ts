import * as z from 'zod/mini'
import { exampleIds, exampleTimes } from '../../../accounts/example-values.models.ts'
import { userBodyNames } from '../../../accounts/users/user-field-names.models.prebuilt.ts'
import { ServiceUserDetail, ServiceUserDetailCreation } from '../../../accounts/users/users.models.ts'
import { withPermission } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { filteringMode, userPartDescriptions } from '../../../kernel/contract/descriptions/common-texts.ts'
import { givenDateTime, writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryFilteringMode,
  queryId,
  queryInt,
  querySearch,
  queryText,
  queryUserParts,
} from '../../../kernel/contract/query.ts'
import { entriesSearchedPerPage } from '../../../kernel/limits/limits.ts'
import { userListDescriptions, userListParameters } from '../../../published-clients/user-fields.ts'
import { Totals } from '../../audit/overview.models.ts'
import { usersSignInWays } from '../../sign-in/ways.operations.ts'
import { usersEmail } from '../addresses/email.operations.ts'
import { usersAttributes } from '../attributes/attributes.operations.ts'
import { usersCompanyAccounts } from '../company-accounts/company-accounts.operations.ts'
import { usersDeletion } from '../deletion/deletion.operations.ts'
import { usersClients } from './apps.operations.ts'
import { usersProfile } from './profile.operations.ts'
import { usersSingle } from './single-user.operations.ts'
import { usersTotp } from './totp.operations.ts'

/** How long the lists of the directory are. */
const usersTotals = {
  getTotals: defineOperation({
    id: 'get_totals',
    group: 'users',
    method: 'GET',
    path: '/api/2/totals',
    access: withPermission('users:view'),
    summary: 'Get the number of users and groups',
    responses: { 200: docs && Totals },
    text:
      docs &&
      describe(() => ({
        description: `Gets how many users and groups there are. The numbers are exact: the write that creates or deletes a user or a group counts
it. It takes one call to the table for any number of users.`,
        parameters: {},
        responses: { 200: [{ summary: 'A small directory', value: exampleOf(Totals) }] },
      })),
  }),
}

const view = withPermission('users:view')
const manage = withPermission('users:manage')

export const users = {
  ...usersClients,
  ...usersCompanyAccounts,
  ...usersSignInWays,
  ...usersProfile,
  ...usersAttributes,
  ...usersDeletion,
  getAllUsers: defineOperation({
    id: 'get_all_users',
    group: 'users',
    method: 'GET',
    path: '/api/2/users',
    access: view,
    summary: 'List users',
    query: z.strictObject({
      username: z.optional(queryText),
      email: z.optional(queryText),
      full_name: z.optional(queryText),
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      is_enabled: z.optional(queryBoolean),
      groups: z.optional(queryId),
      email_state: z.optional(z.enum(['verified', 'unverified', 'none'])),
      invitation: z.optional(z.enum(['pending', 'expired', 'accepted'])),
      external_id: z.optional(queryText),
      attribute: z.optional(queryText),
      has_second_factor: z.optional(queryBoolean),
      is_guest: z.optional(queryBoolean),
      not_seen_for_days: z.optional(queryInt({ min: 1, max: 3650 })),
      permission: z.optional(queryText),
      connection: z.optional(queryId),
      created_since: z.optional(givenDateTime),
      created_before: z.optional(givenDateTime),
      ...queryUserParts,
      ...userListParameters,
      ordering: ordering(['id', 'username']),
      ...paging,
    }),
    responses: { 200: docs && z.array(ServiceUserDetail) },
    text:
      docs &&
      describe(() => ({
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
          ...userPartDescriptions,
          ...userListDescriptions,
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
          external_id: {
            description:
              'Only the user with exactly this ID in the system that they were imported from: the source, a colon, and the ID there.',
            example: 'keycloak:0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d',
          },
          attribute: {
            description:
              'Only users with exactly this value of the searchable attribute: see `get_user_attributes`. Upper and lower case are the same.',
            example: 'E-1234',
          },
          has_second_factor: {
            description:
              'Only users with an authenticator app, or with a passkey that their password requires, with `true`. Only others with `false`.',
            example: 'false',
          },
          is_guest: {
            description: 'Only guests of access links with `true`, only other users with `false`.',
            example: 'false',
          },
          not_seen_for_days: {
            description: 'Only users who used no session for this number of days, also those who never did.',
            example: 90,
          },
          permission: {
            description:
              'Only users who hold exactly this permission, themselves or through a group. Administrators hold every permission, and are found by `system:admin-access` only.',
            example: 'users:manage',
          },
          connection: {
            description: `Only users who have an account at this connection, by the ID of the SAML provider or the OpenID Connect connection. For a
connection of more than ${entriesSearchedPerPage.toLocaleString('en-US')} users, \`ordering\` must be \`id\`.`,
            example: exampleIds.samlProvider,
          },
          created_since: {
            description: 'Only users whose `created_at` is this time or later, in ISO 8601.',
            example: exampleTimes.created,
          },
          created_before: {
            description: 'Only users whose `created_at` is before this time, in ISO 8601.',
            example: exampleTimes.end,
          },
          is_enabled: {
            description: 'Only enabled users with `true`, only disabled users with `false`.',
            example: 'true',
          },
          groups: { description: 'Only members of this group, by its ID.', example: 3 },
        },
        responses: { 200: [{ summary: 'Users', value: [exampleOf(ServiceUserDetail)] }] },
      })),
  }),
  createUser: defineOperation({
    id: 'create_user',
    group: 'users',
    method: 'POST',
    path: '/api/2/users',
    access: manage,
    summary: 'Create a user',
    body: writable(ServiceUserDetailCreation, userBodyNames),
    responses: { 201: docs && ServiceUserDetail },
    errors: ['conflict', 'permission_denied', 'too_many_requests'],
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['email.claim_ended', 'user.renamed', 'user.created', 'user.invited', 'admin_access.given'],
    limits: ['invitationsPerInviter', 'invitationsPerRecipient'],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Creates a user without a password. To let them in, invite them: send \`invite\` with \`true\`, or call \`invite_user\` later. Or
set a password with \`set_user_password\`. Users of an identity provider need neither.

Callers can give only permissions that they hold themselves, directly or through groups. A taken username or email address
is a 409. An email address that an administrator sets counts as verified. An address that other managers of users set gets
an email with a link that confirms it.`,
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
      })),
  }),
  ...usersSingle,
  ...usersEmail,
  ...usersTotals,
  ...usersTotp,
}
