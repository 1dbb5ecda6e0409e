/** Messages of the groups in the console. */
export const en = {
  heading: 'Groups',
  intro: 'Members have the permissions of their groups.',
  search: 'Search by name',
  newGroup: 'New group',
  group: 'Group',
  members: 'Members',
  noMembers: 'No members yet.',
  addMembers: 'Add members',
  empty: 'There are no groups yet.',
  deleteGroup: 'Delete this group',
  deleteGroupText:
    '{count, plural, =0 {The group has no members.} one {# member loses the permissions of this group.} other {# members lose the permissions of this group.}}',
} as const
