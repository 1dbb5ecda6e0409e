import * as z from 'zod/mini'
import { withPermission } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { UserTemplate, UserTemplatePartialUpdate, UserTemplateUpdate } from './templates.models.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')
const template = writable(UserTemplateUpdate, UserTemplate)
const idDescription = docs && ({ description: 'The ID of the user template.', example: 4 } as const)

export const userTemplates = {
  getAllUserTemplates: defineOperation({
    id: 'get_all_user_templates',
    group: 'user-templates',
    method: 'GET',
    path: '/api/2/user-templates',
    access: view,
    summary: 'List user templates',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: docs && z.array(UserTemplate) },
    text:
      docs &&
      describe(() => ({
        description: 'Lists the templates from which a SAML sign-in can create users.',
        parameters: {},
        responses: { 200: [{ summary: 'User templates', value: [exampleOf(UserTemplate)] }] },
      })),
  }),
  createUserTemplate: defineOperation({
    id: 'create_user_template',
    group: 'user-templates',
    method: 'POST',
    path: '/api/2/user-templates',
    access: manage,
    summary: 'Create a user template',
    body: template,
    responses: { 201: docs && UserTemplate },
    errors: ['conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['user_template.created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a user template. Name it as \`user_template\` of a SAML provider with \`auto_create_users\`: new users of the provider
then start with its permissions, groups, language and start page. Callers can give only permissions that they hold
themselves. A taken name is a 409.`,
        parameters: {},
        request: [
          {
            summary: 'External users in a group',
            value: { name: 'Agency staff', groups: [3], language: 'en', is_external: true },
          },
        ],
        responses: { 201: [{ summary: 'The new user template', value: exampleOf(UserTemplate) }] },
      })),
  }),
  getUserTemplate: defineOperation({
    id: 'get_user_template',
    group: 'user-templates',
    method: 'GET',
    path: '/api/2/user-templates/{id}',
    access: view,
    summary: 'Get a user template',
    responses: { 200: docs && UserTemplate },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets a user template.',
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'A user template', value: exampleOf(UserTemplate) }] },
      })),
  }),
  updateUserTemplate: defineOperation({
    id: 'update_user_template',
    group: 'user-templates',
    method: 'PUT',
    path: '/api/2/user-templates/{id}',
    access: manage,
    summary: 'Replace a user template',
    body: template,
    responses: { 200: docs && UserTemplate },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['user_template.changed'],
    seals: { kinds: ['user_template'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces all fields of a user template. Fields that you leave out get their default. Users that were created from it before
stay as they are.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'All fields of a template',
            value: {
              name: 'Example Corp staff',
              permissions: ['media:access'],
              groups: [3],
              language: 'en',
              default_page: '/',
              is_external: false,
            },
          },
        ],
        responses: { 200: [{ summary: 'The changed user template', value: exampleOf(UserTemplate) }] },
      })),
  }),
  patchUserTemplate: defineOperation({
    id: 'patch_user_template',
    group: 'user-templates',
    method: 'PATCH',
    path: '/api/2/user-templates/{id}',
    access: manage,
    summary: 'Update some fields of a user template',
    body: writable(UserTemplatePartialUpdate, UserTemplate),
    responses: { 200: docs && UserTemplate },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['user_template.changed'],
    seals: { kinds: ['user_template'] },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of a user template that the body contains. Users that were created from it before stay as they are.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Another language', value: { language: 'de' } }],
        responses: { 200: [{ summary: 'The changed user template', value: exampleOf(UserTemplate) }] },
      })),
  }),
  deleteUserTemplate: defineOperation({
    id: 'delete_user_template',
    group: 'user-templates',
    method: 'DELETE',
    path: '/api/2/user-templates/{id}',
    access: manage,
    summary: 'Delete a user template',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['user_template.deleted'],
    seals: { kinds: ['user_template'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes a user template. If a SAML provider uses it, the response is 409 and names the providers: give them another template
first.`,
        parameters: { id: idDescription },
      })),
  }),
}
