import { isAbsent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { firstAdminKey } from '../keys/keys.ts'

/** Whether the first administrator was ever created. Remains true if that user is deleted. */
export const hasFirstAdmin = async (table: Table): Promise<boolean> =>
  (await table.get(firstAdminKey)) !== undefined

/** Lets a transaction create the first administrator once in the lifetime of a table. */
export const buildFirstAdminStep = (nowMs: number): Step => ({
  put: { ...firstAdminKey, at: nowMs },
  condition: isAbsent,
})
