import { memberKey } from '../../kernel/table/keys/keys.ts'
import { carryText, memberListing } from '../../kernel/table/keys/listing-keys.ts'
import type { ListEntry } from '../../kernel/table/listing.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import type { UserRecord } from '../users/stored-user.records.ts'

/** What the item of a member has of the user. */
export type MemberNames = Pick<UserRecord, 'id' | 'normalizedUsername' | 'email' | 'full_name'>

/**
 * The item of a member. In the list by name, it carries the other names that a search compares, so that a search reads the
 * entries of one group, whatever the number of users.
 */
export const buildMemberItem = (groupId: number, user: MemberNames): Item => ({
  ...memberKey(groupId, user.id),
  ...carryText(memberListing(groupId, user.normalizedUsername, user.id), namesOf(user).join('\n')),
})

const namesOf = ({ email, full_name }: MemberNames): readonly string[] => [
  foldText(email ?? ''),
  foldText(full_name ?? ''),
]

/** Whether the items of a member change with these names. */
export const hasSameNames = (before: MemberNames, after: MemberNames): boolean =>
  before.normalizedUsername === after.normalizedUsername &&
  namesOf(before).join('\n') === namesOf(after).join('\n')

/** The email address and the full name that an entry carries, in the form of `foldText`. Undefined if they are too long. */
export const readMemberNames = ({ text }: ListEntry): readonly string[] | undefined => text?.split('\n')
