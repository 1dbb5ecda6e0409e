import { ConflictError } from '../../kernel/errors/errors.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { adminsKey, firstAdminKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { withRestingRights } from './resting-rights.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/*
 * There is always at least one administrator. One item holds the IDs of all permanent administrators: enabled users
 * who never expire and have the permission themselves. Each write that adds or removes one changes the item in its
 * transaction, and the last ID cannot be removed. So of two administrators who demote each other concurrently, one is
 * rejected. Administrators by group do not count because groups change, and neither do accounts that will expire.
 */

export const adminAccess = 'system:admin-access'

/** The last administrator cannot be deleted, disabled, demoted or given an expiration date. */
export class LastAdmin extends ConflictError {
  constructor() {
    super('last_admin', 'no administrator would be left')
    this.name = 'LastAdmin'
  }
}

type AdminFields = Pick<UserRecord, 'is_enabled' | 'expiresAt' | 'permissions'>

/** Builds the step that updates the item when a user changes. It fails with LastAdmin. */
export const buildAdminSteps = (
  id: number,
  before: AdminFields | undefined,
  after: AdminFields | undefined,
): readonly Step[] => {
  const [wasAdmin, isAdmin] = [isPermanentAdmin(before), isPermanentAdmin(after)]
  if (wasAdmin === isAdmin) return []
  return [
    {
      update: adminsKey,
      changes: (x) => {
        const ids = x.path('ids')
        const pathAndId = `${ids} ${x.value(new Set([id]))}`
        if (isAdmin) return { include: pathAndId }
        return {
          exclude: pathAndId,
          condition: `size(${ids}) > ${x.value(1)} OR NOT contains(${ids}, ${x.value(id)})`,
        }
      },
      orElse: () => new LastAdmin(),
    },
  ]
}

/** The IDs of the permanent administrators, lowest first. */
export const findAdminIds = async (table: Table): Promise<readonly number[]> => {
  const ids = (await table.get(adminsKey))?.['ids']
  return ids instanceof Set ? [...ids].map(Number).sort((a, b) => a - b) : []
}

/** Whether there would be no permanent administrator without this user. */
export const isLastAdmin = async (table: Table, user: UserRecord): Promise<boolean> =>
  isPermanentAdmin(withRestingRights(user)) && (await findAdminIds(table)).length === 1

const isPermanentAdmin = (user: AdminFields | undefined): boolean =>
  user?.is_enabled === true && user.expiresAt === null && user.permissions.includes(adminAccess)

/** Whether the first administrator was ever created. Remains true if that user is deleted. */
export const hasFirstAdmin = async (table: Table): Promise<boolean> =>
  (await table.get(firstAdminKey)) !== undefined

/** Lets a transaction create the first administrator once in the lifetime of a table. */
export const buildFirstAdminStep = (nowMs: number): Step => ({
  put: { ...firstAdminKey, at: nowMs },
  condition: isAbsent,
})
