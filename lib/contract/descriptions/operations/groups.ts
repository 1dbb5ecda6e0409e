import { groupsPerUser, membersPerBody } from '../../../limits/limits.ts'
import { ServiceGroup, ServiceGroupDetail } from '../../models/groups.ts'
import type { groups } from '../../operations/groups.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { filteringMode } from '../filtering-mode.ts'

const id = { description: 'The ID of the group.', example: 3 } as const
const members = membersPerBody.toLocaleString('en-US')

export const groupsTexts: OperationTexts<typeof groups> = {
  getAllGroups: {
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
    },
    responses: { 200: [{ summary: 'Groups', value: [exampleOf(ServiceGroup)] }] },
  },
  createGroup: {
    description: `Creates a group. Its members get its permissions in addition to their own, from their next request on. Callers can give
only permissions that they hold themselves. A taken name is a 409.

A body can have up to ${members} members, and a user can be in up to ${groupsPerUser} groups. The audit events are \`group.created\` and
\`group.member_added\`.`,
    parameters: {},
    request: [
      {
        summary: 'A group with a member',
        value: { name: 'reviewers', permissions: ['media:access'], members: [{ id: 7 }] },
      },
    ],
    responses: { 201: [{ summary: 'The new group', value: exampleOf(ServiceGroupDetail) }] },
  },
  getGroup: {
    description: `Gets a group with its members in full, up to ${members}. Members of very large groups are shown without their bookmarks and
permissions. To list all members, call \`get_all_users\` with \`groups\`.`,
    parameters: { id },
    responses: { 200: [{ summary: 'A group with its members', value: exampleOf(ServiceGroupDetail) }] },
  },
  updateGroup: {
    description: `Replaces all fields of a group that can be changed. Fields that you leave out get their default: without \`members\`, the
group has no members afterwards. So send back what you read with \`get_group\`, with your changes. To change single fields,
use \`patch_group\`, whose rules and effects are the same.`,
    parameters: { id },
    request: [
      {
        summary: 'All fields of a group',
        value: { name: 'editors', permissions: ['media:access'], members: [{ id: 7 }] },
      },
    ],
    responses: { 200: [{ summary: 'The changed group', value: exampleOf(ServiceGroupDetail) }] },
  },
  patchGroup: {
    description: `Changes the fields of a group that the body contains. \`members\` replaces all members. Name each member by \`{"id": 7}\`, by
the ID alone, or as \`get_group\` returned them. For groups with more than ${members} members, change \`groups\` of the users instead.

Callers can change only groups whose permissions they hold themselves. If a request with many members fails, repeat it,
and it completes the change. The audit events are \`group.changed\`, \`group.member_added\` and \`group.member_removed\`.`,
    parameters: { id },
    request: [
      { summary: 'Another name', value: { name: 'photo editors' } },
      { summary: 'Other members', value: { members: [{ id: 7 }] } },
    ],
    responses: { 200: [{ summary: 'The changed group', value: exampleOf(ServiceGroupDetail) }] },
  },
  deleteGroup: {
    description: `Deletes a group. Its members lose its permissions at once. The users stay. If a request fails, repeat it, and it continues
the cleanup. The audit event is \`group.deleted\`.`,
    parameters: { id },
  },
}
