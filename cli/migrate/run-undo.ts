import { randomUUID } from 'node:crypto'
import { LastAdmin } from '../../lib/accounts/users/admins.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { deleteAccount } from '../../lib/features/directory/deletion/delete-account.ts'
import {
  hasNeverSignedIn,
  isNeverSignedIn,
} from '../../lib/features/directory/deletion/delete-user.records.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { exitCodes } from '../exit-codes.ts'
import { retryThrottled, startPool } from '../pool.ts'
import { openTarget } from '../users/import-target.ts'
import { createImportContext } from '../users/import-users.ts'
import { readAllUsers } from '../users/run-export.ts'
import { countUsers } from '../users/run-import.ts'
import type { UndoCommand } from './command.ts'
import { isWanted } from './document.ts'

/** Deletes the users of a source who never signed in, after it showed how many these are. Returns the exit code. */
export const runUndo = async (command: UndoCommand, signal: AbortSignal): Promise<number> => {
  const { services, close } = await openTarget({ table: command.table, whenNew: 'fail' })
  try {
    const found = await visitUsers(services, command.source, signal, async () => true)
    if (signal.aborted) return exitCodes.interrupted
    process.stdout.write(
      `${countUsers(found.deleted)} of ${command.source} never signed in. ${describeStaying(found.kept)}`,
    )
    if (found.deleted === 0) return exitCodes.done
    if (!(await isWanted(command, 'Delete them now?', signal))) {
      process.stdout.write('Nothing was deleted. Pass --yes to delete.\n')
      return signal.aborted ? exitCodes.interrupted : exitCodes.done
    }
    const done = await visitUsers(services, command.source, signal, createDelete(services))
    process.stdout.write(`${countUsers(done.deleted)} deleted. ${describeStaying(done.kept)}`)
    if (signal.aborted) process.stdout.write('Interrupted. Run the same command again to resume.\n')
    return signal.aborted ? exitCodes.interrupted : exitCodes.done
  } finally {
    await close()
  }
}

const describeStaying = (count: number): string => `${countUsers(count)} of this source will stay.\n`

const parallelDeletions = 6

/** Calls `remove` for each user of a source who never signed in. It returns whether the user is deleted. */
const visitUsers = async (
  services: Services,
  source: string,
  signal: AbortSignal,
  remove: (user: UserRecord) => Promise<boolean>,
): Promise<{ readonly deleted: number; readonly kept: number }> => {
  const counts = { deleted: 0, kept: 0 }
  const pool = startPool(parallelDeletions)
  const visit = async (user: UserRecord) => {
    if (hasNeverSignedIn(user) && (await remove(user))) counts.deleted += 1
    else counts.kept += 1
  }
  try {
    for await (const users of readAllUsers(services))
      for (const user of users) {
        if (signal.aborted) return counts
        if (user.externalId?.source === source) await pool.add(() => visit(user))
      }
  } finally {
    await pool.drain()
  }
  return counts
}

/** Returns false for a user who signed in or was changed since they were read, and for the last administrator. */
const createDelete = (services: Services) => {
  const requestId = `undo-${randomUUID()}`
  return async (user: UserRecord): Promise<boolean> => {
    try {
      const context = createImportContext(services, requestId)
      await retryThrottled(() => deleteAccount(services, user, context, isNeverSignedIn))
      return true
    } catch (error) {
      if (error instanceof EditConflict || error instanceof LastAdmin) return false
      throw error
    }
  }
}
