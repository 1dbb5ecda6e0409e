import * as z from 'zod/mini'
import { adminBySession, withScope } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { queryInt, queryText } from '../../../kernel/contract/query.ts'
import { exampleProfileChange } from '../../../published-clients/user-fields.ts'
import { profileBodyNames } from '../field-names.models.prebuilt.ts'
import {
  Onboarding,
  ServiceUserProfile,
  ServiceUserProfilePartialUpdate,
  ServiceUserProfileUpdate,
} from './profile.models.ts'

/** Published clients send the parameters of a list with the profile too. They change nothing. */
const ignored = {
  description: 'Known to published clients. It changes nothing, because a profile is not a list.',
}
const ignoredNumber = z.optional(queryInt({ min: 0, max: 2 ** 31 - 1 })).register(z.globalRegistry, ignored)
const ignoredText = z.optional(queryText).register(z.globalRegistry, ignored)

/** The current user's profile. */
export const usersProfile = {
  getCurrentUser: defineOperation({
    id: 'get_current_user',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me',
    access: withScope('profile:view'),
    allowsOrganizationSession: true,
    acceptsOrganization: true,
    summary: 'Get the current user',
    query: z.strictObject({ limit: ignoredNumber, offset: ignoredNumber, ordering: ignoredText }),
    responses: { 200: docs && ServiceUserProfile },
    allowsSetupSession: true,
    text:
      docs &&
      describe(() => ({
        description: `Gets the profile of the user whom the credential belongs to. It is the way to ask "who is calling, and what may they do?".
The answer is current at each request: after a logout, or if the user was disabled, it is a 401.

\`effective_permissions\` lists what the user may do, their own permissions and those of their groups. For an API token with
scopes, it lists only the permissions within the scopes. During an impersonation, \`impersonated_by\` is the administrator.

With the header \`Latchkey-Organization\`, \`organization\` says what the user may do there. \`effective_permissions\` stay those of the
account, and count in no organization. If the user is no member, the response is the same 403 as for one that does not exist.`,
        parameters: {},
        responses: { 200: [{ summary: 'The profile of a user', value: exampleOf(ServiceUserProfile) }] },
      })),
  }),
  updateCurrentUser: defineOperation({
    id: 'update_current_user',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/me',
    access: withScope('profile:manage'),
    summary: "Update the current user's profile",
    body: writable(ServiceUserProfilePartialUpdate, profileBodyNames),
    responses: { 200: docs && ServiceUserProfile },
    errors: ['permission_denied', 'conflict'],
    localChange: 'refused',
    audit: ['user.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Updates the profile of the current user: name, language and start page. Fields that you leave out stay as they
are. Read-only fields are ignored, so that a client can send back what it read. Sessions that an access link opened cannot
use it.`,
        parameters: {},
        request: [
          {
            summary: 'Another name and language',
            value: { full_name: 'Ada King', language: 'de' },
          },
        ],
        responses: { 200: [{ summary: 'The changed profile', value: exampleOf(ServiceUserProfile) }] },
      })),
  }),
  updateProfile: defineOperation({
    id: 'update_profile',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/me',
    access: withScope('profile:manage'),
    summary: "Replace the current user's profile",
    body: writable(ServiceUserProfileUpdate, profileBodyNames),
    responses: { 200: docs && ServiceUserProfile },
    errors: ['permission_denied', 'conflict'],
    localChange: 'refused',
    audit: ['user.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Replaces the profile of the current user: name, language and start page. Fields that you leave out get their
default, so send back what you read with \`get_current_user\`, with your changes. To change single fields, use
\`update_current_user\`, whose rules are the same.`,
        parameters: {},
        request: [
          {
            summary: 'All fields of a profile',
            value: {
              full_name: 'Ada King',
              language: 'de',
              default_page: '/library',
              ...exampleProfileChange,
            },
          },
        ],
        responses: { 200: [{ summary: 'The changed profile', value: exampleOf(ServiceUserProfile) }] },
      })),
  }),
  setOnboarding: defineOperation({
    id: 'set_onboarding',
    group: 'users',
    method: 'PUT',
    path: '/api/2/users/me/onboarding',
    access: adminBySession,
    summary: 'Show or hide the first steps in the console',
    body: Onboarding,
    responses: { 204: null },
    errors: ['permission_denied', 'conflict'],
    audit: ['user.changed'],
    // Someone who acts as another user decides nothing for them.
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Hides the first steps in the overview of the console, or shows them again. It is stored for each administrator, because some of the
steps are about their own account.`,
        parameters: {},
        request: [{ summary: 'Hide them', value: exampleOf(Onboarding) }],
      })),
  }),
}
