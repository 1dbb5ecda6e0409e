import * as z from 'zod/mini'
import { withPermission } from '../access.ts'
import { ServiceGroupDetailPartialUpdate, ServiceGroupDetailUpdate } from '../models/group-update.ts'
import { ServiceGroup, ServiceGroupDetail } from '../models/groups.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging, queryFilteringMode, querySearch, queryText } from '../query.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')

const group = writable(ServiceGroupDetailUpdate, ServiceGroupDetail)

/** Large enough to send back a group as it was read, with all members shown. */
const membersBodyBytes = 2 * 1024 * 1024

export const groups = {
  getAllGroups: defineOperation({
    id: 'get_all_groups',
    group: 'groups',
    method: 'GET',
    path: '/api/2/groups',
    access: view,
    summary: 'List groups',
    query: z.strictObject({
      name: z.optional(queryText),
      filter: z.optional(querySearch),
      filtering_mode: queryFilteringMode,
      ordering: ordering(['id', 'name']),
      ...paging,
    }),
    responses: { 200: z.array(ServiceGroup) },
  }),
  createGroup: defineOperation({
    id: 'create_group',
    group: 'groups',
    method: 'POST',
    path: '/api/2/groups',
    access: manage,
    summary: 'Create a group',
    body: group,
    responses: { 201: ServiceGroupDetail },
    errors: ['conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  getGroup: defineOperation({
    id: 'get_group',
    group: 'groups',
    method: 'GET',
    path: '/api/2/groups/{id}',
    access: view,
    summary: 'Get a group',
    responses: { 200: ServiceGroupDetail },
    errors: ['not_found'],
  }),
  updateGroup: defineOperation({
    id: 'update_group',
    group: 'groups',
    method: 'PUT',
    path: '/api/2/groups/{id}',
    access: manage,
    summary: 'Replace a group',
    body: group,
    bodyLimitBytes: membersBodyBytes,
    responses: { 200: ServiceGroupDetail },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  patchGroup: defineOperation({
    id: 'patch_group',
    group: 'groups',
    method: 'PATCH',
    path: '/api/2/groups/{id}',
    access: manage,
    summary: 'Update some fields of a group',
    body: writable(ServiceGroupDetailPartialUpdate, ServiceGroupDetail),
    bodyLimitBytes: membersBodyBytes,
    responses: { 200: ServiceGroupDetail },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
  deleteGroup: defineOperation({
    id: 'delete_group',
    group: 'groups',
    method: 'DELETE',
    path: '/api/2/groups/{id}',
    access: manage,
    summary: 'Delete a group',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
  }),
}
