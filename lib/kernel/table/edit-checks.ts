import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordEdit, Step } from './transaction.ts'

type EditCheck = (edit: RecordEdit) => Promise<void>

const checks = new AsyncLocalStorage<EditCheck>()

/** Runs `work`. A transaction in it with a step that `edits` a record is only written if the check does not throw. */
export const checkEdits = <T>(check: EditCheck, work: () => Promise<T>): Promise<T> => checks.run(check, work)

/** Runs the check before a transaction is written. */
export const runEditCheck = async (steps: readonly Step[]): Promise<void> => {
  const check = checks.getStore()
  if (!check) return
  for (const { edits } of steps) if (edits) await check(edits)
}
