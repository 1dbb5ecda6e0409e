import { logoutJobLifetimeMs } from '../../limits/limits.ts'
import { toSeconds } from '../../util/durations.ts'
import { isPresent } from '../engine/expressions.ts'
import { readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../engine/transaction-errors.ts'
import { logoutJobPartitions, logoutJobPrefix } from '../keys/job-keys.ts'
import { sessionKey } from '../keys/keys.ts'
import type { SessionRecord } from '../sign-in/session-record.ts'
import {
  buildSessionLogoutSteps,
  type LogoutJobKey,
  type LogoutJobRecord,
  logoutJobCodec,
} from './logout-job-record.ts'

/** How long a job belongs to the function that took it. Longer than the function runs. */
const leaseMs = 90_000

/** A job that a function has taken. */
export type TakenLogoutJob = LogoutJobRecord &
  Required<Pick<LogoutJobRecord, 'tries' | 'firstTriedAt' | 'nextTryAt'>>

/** Takes a job. Returns undefined if it is done, belongs to another function, or waits for its next attempt. */
export const takeLogoutJob = async (
  table: Table,
  { pk, sk }: LogoutJobKey,
  nowMs: number,
): Promise<TakenLogoutJob | undefined> => {
  try {
    const item = await table.update({ pk, sk }, (x) => {
      const [tries, first, next] = [x.path('tries'), x.path('firstTriedAt'), x.path('nextTryAt')]
      return {
        set: [
          `${tries} = if_not_exists(${tries}, ${x.value(0)}) + ${x.value(1)}`,
          `${first} = if_not_exists(${first}, ${x.value(nowMs)})`,
          `${next} = ${x.value(nowMs + leaseMs)}`,
          `${x.path('expires_at')} = ${x.value(toSeconds(nowMs + logoutJobLifetimeMs))}`,
        ],
        condition: `${isPresent(x)} AND (attribute_not_exists(${next}) OR ${next} <= ${x.value(nowMs)})`,
      }
    })
    const job = logoutJobCodec.decode(item)
    const { tries = 1, firstTriedAt = nowMs, nextTryAt = nowMs } = job
    return { ...job, tries, firstTriedAt, nextTryAt }
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/**
 * Deletes a session that ended with all others of its user, with a new job to inform its clients. Does nothing if another
 * function did.
 */
export const replaceByLogoutJob = async (table: Table, session: SessionRecord): Promise<void> => {
  await wasCommitted(
    table.transact([
      { delete: sessionKey(session.userId, session.hash), condition: isPresent },
      ...buildSessionLogoutSteps(session),
    ]),
  )
}

/** Builds the step that deletes a job. It may have been done by another function as well. */
export const buildLogoutJobDeletion = ({ pk, sk }: LogoutJobKey): Step => ({ delete: { pk, sk } })

/** Returns a job for another attempt at a time in epoch milliseconds, without the clients that were informed. */
export const postponeLogoutJob = async (
  table: Table,
  { pk, sk, nextTryAt: leasedUntil }: TakenLogoutJob,
  { informed, nextTryAt }: { readonly informed: readonly string[]; readonly nextTryAt: number },
): Promise<void> => {
  // A function that held the job for longer than its lease changes nothing.
  await wasCommitted(
    table.update({ pk, sk }, (x) => ({
      set: [`${x.path('nextTryAt')} = ${x.value(nextTryAt)}`],
      ...(informed.length > 0 ? { exclude: `${x.path('clients')} ${x.value(new Set(informed))}` } : {}),
      condition: `${x.path('nextTryAt')} = ${x.value(leasedUntil)}`,
    })),
  )
}

/** Reads the keys of all jobs whose time has come, in pages. */
export async function* readDueLogoutJobs(
  table: Table,
  nowMs: number,
): AsyncGenerator<readonly LogoutJobKey[]> {
  for (const pk of logoutJobPartitions) {
    const list = { pk, isListing: false, from: logoutJobPrefix, to: `${logoutJobPrefix}~` }
    let after: string | undefined
    do {
      const entries = await readEntries(table, list, { after, limit: pageSize, isDescending: false })
      const isDue = ({ nextTryAt = 0 }: LogoutJobRecord) => nextTryAt <= nowMs
      yield entries.filter(({ item }) => isDue(logoutJobCodec.decode(item))).map(({ key }) => key)
      after = entries.length < pageSize ? undefined : entries.at(-1)?.indexKey
    } while (after !== undefined)
  }
}

const pageSize = 500
