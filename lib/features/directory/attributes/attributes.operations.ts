import {
  OwnAttributes,
  OwnAttributesUpdate,
  UserAttributes,
} from '../../../accounts/users/attributes.models.ts'
import { adminBySession, withPermission, withScope } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'

/** The attributes that a service defines for its users. */
export const usersAttributes = {
  getUserAttributes: defineOperation({
    id: 'get_user_attributes',
    group: 'users',
    method: 'GET',
    path: '/api/2/system/user-attributes',
    access: withPermission('users:view'),
    summary: 'Get the attributes that users can have',
    responses: { 200: docs && UserAttributes },
    text:
      docs &&
      describe(() => ({
        description: `Gets the attributes that users of this service can have, such as a department or a staff number. Products define what they
need to know about a user, so they need no table of their own for it.`,
        parameters: {},
        responses: { 200: [{ summary: 'One attribute', value: exampleOf(UserAttributes) }] },
      })),
  }),
  updateUserAttributes: defineOperation({
    id: 'update_user_attributes',
    group: 'users',
    method: 'PUT',
    path: '/api/2/system/user-attributes',
    access: adminBySession,
    summary: 'Replace the attributes that users can have',
    body: UserAttributes,
    responses: { 200: docs && UserAttributes },
    errors: ['conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['user_attributes.changed'],
    seals: { kinds: ['user_attributes'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces the attributes that users of this service can have. An attribute that you leave out is removed with all of its values,
and one that later takes its name begins without values.`,
        parameters: {},
        request: [{ summary: 'One attribute', value: exampleOf(UserAttributes) }],
        responses: { 200: [{ summary: 'The new attributes', value: exampleOf(UserAttributes) }] },
      })),
  }),
  getOwnAttributes: defineOperation({
    id: 'get_own_attributes',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me/attributes',
    access: withScope('profile:view'),
    summary: 'Get the attributes of the current user',
    responses: { 200: docs && OwnAttributes },
    text:
      docs &&
      describe(() => ({
        description: `Gets the attributes that the current user may see, also those without a value, with what pages call them.`,
        parameters: {},
        responses: { 200: [{ summary: 'One attribute', value: exampleOf(OwnAttributes) }] },
      })),
  }),
  updateOwnAttributes: defineOperation({
    id: 'update_own_attributes',
    group: 'users',
    method: 'PATCH',
    path: '/api/2/users/me/attributes',
    access: withScope('profile:manage'),
    summary: 'Change attributes of the current user',
    body: OwnAttributesUpdate,
    responses: { 200: docs && OwnAttributes },
    errors: ['permission_denied', 'conflict'],
    localChange: 'refused',
    audit: ['user.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Changes attributes of the current user, if users may change them. Sessions that an access link opened cannot use it.`,
        parameters: {},
        request: [{ summary: 'A new value', value: exampleOf(OwnAttributesUpdate) }],
        responses: { 200: [{ summary: 'All attributes', value: exampleOf(OwnAttributes) }] },
      })),
  }),
}
