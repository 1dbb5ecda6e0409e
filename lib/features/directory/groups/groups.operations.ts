import * as z from 'zod/mini'
import {
  GroupMembersChange,
  GroupMembersChanged,
  groupFields,
  ServiceGroup,
  ServiceGroupDetail,
  ServiceGroupDetailPartialUpdate,
  ServiceGroupDetailUpdate,
} from '../../../accounts/groups/groups.models.ts'
import { withPermission } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { filteringMode } from '../../../kernel/contract/descriptions/common-texts.ts'
import { listReservedFrom } from '../../../kernel/contract/field-rights.ts'
import { writable } from '../../../kernel/contract/fields.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryFilteringMode,
  querySearch,
  queryText,
} from '../../../kernel/contract/query.ts'
import { groupsPerUser, membersPerBody } from '../../../kernel/limits/limits.ts'

const view = withPermission('users:view')
const manage = withPermission('users:manage')
const group = writable(ServiceGroupDetailUpdate, ServiceGroupDetail)

/** Large enough to send back a group as it was read, with all members shown. */
const membersBodyBytes = 2 * 1024 * 1024
const idDescription = docs && ({ description: 'The ID of the group.', example: 3 } as const)
const memberCountDescription = docs && membersPerBody.toLocaleString('en-US')

/** What both operations that change a group have in common. */
const groupChange = {
  bodyLimitBytes: membersBodyBytes,
  responses: { 200: docs && ServiceGroupDetail },
  errors: ['not_found', 'conflict'],
  localChange: 'refused',
  recentAuthentication: 'for_sign_in_and_rights',
  audit: [
    'admin_access.given',
    'admin_access.taken',
    'group.changed',
    'group.member_added',
    'group.member_removed',
  ],
} as const

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
      include_members: z.optional(queryBoolean),
      ordering: ordering(['id', 'name']),
      ...paging,
    }),
    responses: { 200: docs && z.array(ServiceGroup) },
    text:
      docs &&
      describe(() => ({
        description:
          'Lists groups with their permissions and the IDs of their members. To list the members in full, call `get_all_users` with `groups`.',
        parameters: {
          name: {
            description: 'Only the group with exactly this name. Upper and lower case are the same.',
            example: 'reviewers',
          },
          filter: {
            description: 'A text to search for in the names of groups. An empty text selects all groups.',
            example: 'view',
          },
          filtering_mode: filteringMode,
          include_members: {
            description:
              'With `false`, `members` and `members_preview` are empty lists, and the answer takes half of the reads. Without this parameter, members are shown.',
            example: 'false',
          },
        },
        responses: { 200: [{ summary: 'Groups', value: [exampleOf(ServiceGroup)] }] },
      })),
  }),
  createGroup: defineOperation({
    id: 'create_group',
    group: 'groups',
    method: 'POST',
    path: '/api/2/groups',
    access: manage,
    summary: 'Create a group',
    body: group,
    responses: { 201: docs && ServiceGroupDetail },
    errors: ['conflict'],
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['admin_access.given', 'group.created', 'group.member_added'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a group. Its members get its permissions in addition to their own, from their next request on. Callers can give
only permissions that they hold themselves. A taken name is a 409.

A body can have up to ${memberCountDescription} members, and a user can be in up to ${groupsPerUser} groups.`,
        parameters: {},
        request: [
          {
            summary: 'A group with a member',
            value: { name: 'reviewers', permissions: ['media:access'], members: [{ id: 7 }] },
          },
        ],
        responses: { 201: [{ summary: 'The new group', value: exampleOf(ServiceGroupDetail) }] },
      })),
  }),
  getGroup: defineOperation({
    id: 'get_group',
    group: 'groups',
    method: 'GET',
    path: '/api/2/groups/{id}',
    access: view,
    summary: 'Get a group',
    query: z.strictObject({ include_members: z.optional(queryBoolean) }),
    responses: { 200: docs && ServiceGroupDetail },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Gets a group with its members in full, up to ${memberCountDescription}. Members of very large groups are shown without their lists, such
as permissions. To list all members, call \`get_all_users\` with \`groups\`.`,
        parameters: {
          id: idDescription,
          include_members: {
            description: 'With `false`, `members` and `members_preview` are empty lists.',
            example: 'false',
          },
        },
        responses: { 200: [{ summary: 'A group with its members', value: exampleOf(ServiceGroupDetail) }] },
      })),
  }),
  updateGroup: defineOperation({
    id: 'update_group',
    group: 'groups',
    method: 'PUT',
    path: '/api/2/groups/{id}',
    access: manage,
    summary: 'Replace a group',
    body: group,
    ...groupChange,
    seals: { kinds: ['group'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces all fields of a group that can be changed. Fields that you leave out get their default: without \`members\`, the
group has no members afterwards. So send back what you read with \`get_group\`, with your changes. To change single fields,
use \`patch_group\`, whose rules and effects are the same.`,
        parameters: { id: idDescription },
        request: [
          {
            summary: 'All fields of a group',
            value: { name: 'editors', permissions: ['media:access'], members: [{ id: 7 }] },
          },
        ],
        responses: { 200: [{ summary: 'The changed group', value: exampleOf(ServiceGroupDetail) }] },
      })),
  }),
  patchGroup: defineOperation({
    id: 'patch_group',
    group: 'groups',
    method: 'PATCH',
    path: '/api/2/groups/{id}',
    access: manage,
    summary: 'Update some fields of a group',
    body: writable(ServiceGroupDetailPartialUpdate, ServiceGroupDetail),
    ...groupChange,
    seals: { kinds: ['group'], leaves: listReservedFrom(groupFields, 'configuration') },
    acceptsIfUnchanged: true,
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of a group that the body contains. \`members\` replaces all members. Name each member by \`{"id": 7}\`, by
the ID alone, or as \`get_group\` returned them. To add and remove members of a group of any size, call \`change_group_members\`.

Callers can change only groups whose permissions they hold themselves. If a request with many members fails, repeat it,
and it completes the change.`,
        parameters: { id: idDescription },
        request: [
          { summary: 'Another name', value: { name: 'photo editors' } },
          { summary: 'Other members', value: { members: [{ id: 7 }] } },
        ],
        responses: { 200: [{ summary: 'The changed group', value: exampleOf(ServiceGroupDetail) }] },
      })),
  }),
  changeGroupMembers: defineOperation({
    id: 'change_group_members',
    group: 'groups',
    method: 'POST',
    path: '/api/2/groups/{id}/members',
    access: manage,
    summary: 'Add and remove members of a group',
    body: GroupMembersChange,
    responses: { 200: docs && GroupMembersChanged },
    errors: ['not_found', 'conflict'],
    localChange: 'refused',
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['group.changed', 'group.member_added', 'group.member_removed'],
    text:
      docs &&
      describe(() => ({
        description: `Adds users to a group and removes others, up to ${memberCountDescription} together. All other members stay. Nothing changes if an ID is unknown.
The rules of \`patch_group\` hold. If a request fails, repeat it, and it completes the change.`,
        parameters: { id: idDescription },
        request: [{ summary: 'Members', value: { add: [7], remove: [8] } }],
        responses: { 200: [{ summary: 'Members', value: exampleOf(GroupMembersChanged) }] },
      })),
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
    localChange: 'ends_access',
    recentAuthentication: 'for_sign_in_and_rights',
    audit: ['admin_access.taken', 'group.deleted'],
    seals: { kinds: ['group'] },
    text:
      docs &&
      describe(() => ({
        description: `Deletes a group. Its members lose its permissions at once. The users stay. If a request fails, repeat it, and it continues
the cleanup.`,
        parameters: { id: idDescription },
      })),
  }),
}
