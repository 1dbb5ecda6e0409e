import type { ServiceUser } from '../../contract/models/user.ts'
import { memberDetailBytes } from '../../limits/limits.ts'
import { countResultBytes } from '../../util/result-bytes.ts'

/**
 * Empties the lists of the members that do not fit into a body of a group, because a Lambda result has at most 6 MB.
 * No member is left out: clients send the members back, and missing ones would be removed from the group.
 */
export const shortenMembers = (members: readonly ServiceUser[]): ServiceUser[] => {
  let bytes = 0
  return members.map((member) => {
    bytes += countResultBytes(member)
    return bytes > memberDetailBytes ? withoutLists(member) : member
  })
}

/** Only these lists of a user can be long. */
const withoutLists = (member: ServiceUser): ServiceUser => ({
  ...member,
  fm_bookmarks: [],
  permissions: [],
  group_permissions: [],
  effective_permissions: [],
})
