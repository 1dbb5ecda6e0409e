import type { GroupRecord } from '../../accounts/groups/groups.records.ts'
import { permissions } from '../../kernel/contract/permissions.ts'

/** What an account gets because of the hook. */
export interface SignUpGifts {
  /** None of them gives a permission of the service. Lets a transaction fail if a group has other permissions by then. */
  readonly groups: readonly GroupRecord[]
  /** The text to store. */
  readonly attributes: string
}

/** The groups that give no permission of the service. Those of products stay. */
export const selectProductGroups = (groups: readonly GroupRecord[]): readonly GroupRecord[] =>
  groups.filter((group) => !group.permissions.some((permission) => Object.hasOwn(permissions, permission)))
