import * as z from 'zod/mini'
import { withPermission } from '../access.ts'
import { UserTemplate, UserTemplatePartialUpdate, UserTemplateUpdate } from '../models/user-templates.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging } from '../query.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')

const template = writable(UserTemplateUpdate, UserTemplate)

export const userTemplates = {
  getAllUserTemplates: defineOperation({
    id: 'get_all_user_templates',
    group: 'user-templates',
    method: 'GET',
    path: '/api/2/user-templates',
    access: view,
    summary: 'List user templates',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: z.array(UserTemplate) },
  }),
  createUserTemplate: defineOperation({
    id: 'create_user_template',
    group: 'user-templates',
    method: 'POST',
    path: '/api/2/user-templates',
    access: manage,
    summary: 'Create a user template',
    body: template,
    responses: { 201: UserTemplate },
    errors: ['conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  getUserTemplate: defineOperation({
    id: 'get_user_template',
    group: 'user-templates',
    method: 'GET',
    path: '/api/2/user-templates/{id}',
    access: view,
    summary: 'Get a user template',
    responses: { 200: UserTemplate },
    errors: ['not_found'],
  }),
  updateUserTemplate: defineOperation({
    id: 'update_user_template',
    group: 'user-templates',
    method: 'PUT',
    path: '/api/2/user-templates/{id}',
    access: manage,
    summary: 'Replace a user template',
    body: template,
    responses: { 200: UserTemplate },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  patchUserTemplate: defineOperation({
    id: 'patch_user_template',
    group: 'user-templates',
    method: 'PATCH',
    path: '/api/2/user-templates/{id}',
    access: manage,
    summary: 'Update some fields of a user template',
    body: writable(UserTemplatePartialUpdate, UserTemplate),
    responses: { 200: UserTemplate },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
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
  }),
}
