import { ConflictError } from '../../core/errors.ts'
import { adminsKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import type { UserRecord } from '../records/user-record.ts'

/*
 * Who can be counted on to administer. One item holds the ids of the users that are enabled, never expire and
 * have the permission themselves; each write that makes a user such a one, or no longer, changes it in its
 * transaction, and the last id can't be taken out. So two administrators who demote each other at the same
 * moment meet at that item, and one of them is told that it is too late. Administrators by group don't count:
 * groups come and go, and an account that is going to expire is nobody's last hope.
 */

export const adminAccess = 'system:admin-access'

/** The last administrator can't be deleted, disabled, demoted or given an expiry. */
export class LastAdmin extends ConflictError {
  constructor() {
    super('last_admin', 'no administrator would be left')
    this.name = 'LastAdmin'
  }
}

type Standing = Pick<UserRecord, 'isEnabled' | 'expiresAt' | 'permissions'>

/** The step that keeps the item true when a user changes so; its condition refuses to let the last one go. */
export const buildAdminSteps = (
  id: number,
  before: Standing | undefined,
  after: Standing | undefined,
): readonly Step[] => {
  const [was, is] = [isLasting(before), isLasting(after)]
  if (was === is) return []
  return [
    {
      update: adminsKey,
      changes: (x) => {
        const ids = x.path('ids')
        const own = `${ids} ${x.value(new Set([id]))}`
        if (is) return { include: own }
        return {
          exclude: own,
          condition: `size(${ids}) > ${x.value(1)} OR NOT contains(${ids}, ${x.value(id)})`,
        }
      },
      orElse: () => new LastAdmin(),
    },
  ]
}

/** The ids of those who can be counted on, lowest first. */
export const findAdminIds = async (table: Table): Promise<readonly number[]> => {
  const ids = (await table.get(adminsKey))?.['ids']
  return ids instanceof Set ? [...ids].map(Number).sort((a, b) => a - b) : []
}

const isLasting = (user: Standing | undefined): boolean =>
  user?.isEnabled === true && user.expiresAt === null && user.permissions.includes(adminAccess)
