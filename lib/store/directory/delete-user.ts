import { apiTokenMarkerKey, apiTokenPrefix, type Key, userKey } from '../engine/keys.ts'
import { readPlaces } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import type { UserRecord } from '../records/user-record.ts'
import { buildIndexSteps, chunkGroups } from './user-index-steps.ts'
import { editUserEndingSessions } from './users.ts'

/*
 * A user goes with its name, its address and its memberships in one transaction; from then on nothing that it
 * had is good for anything. Its sessions and whatever else lies in its partition are cleared away after that.
 * Should this be interrupted, deleting once more goes on with it, and what expires is cleared away by the
 * table besides.
 */

/**
 * Deletes a user as it was read, all but its leftovers: see `clearLeftovers`.
 *
 * @throws EditConflict when it was changed or deleted since.
 * @throws LastAdmin when nobody would be left to administer.
 */
export const deleteUser = async (table: Table, user: UserRecord, along: readonly Step[]): Promise<void> => {
  const stages = chunkGroups(user.groups, [])
  // More memberships than fit into the transaction: the user is shut out first, and loses them in others.
  const last = stages.length === 1 ? user : await stripped(table, user, stages.at(-2) ?? [])
  const gone: Step = {
    delete: userKey(user.id),
    condition: (x) => `${x.path('version')} = ${x.value(last.version)}`,
    orElse: () => new EditConflict(),
  }
  await table.transact([gone, ...buildIndexSteps(last, undefined), ...along])
}

const stripped = (table: Table, user: UserRecord, groups: readonly number[]): Promise<UserRecord> =>
  editUserEndingSessions(table, user, { isEnabled: false, groups })

/** Clears away what a user that is gone has left behind, and returns whether there was anything. */
export const cleanUpDeletedUser = async (table: Table, userId: number): Promise<boolean> => {
  const { pk, sk } = userKey(userId)
  for (let hadAny = false; ; hadAny = true) {
    const places = await readPlaces(table, { pk, isListing: false }, { limit: 50, isDescending: false })
    // One that is made at this very moment is not a leftover.
    if (places.length === 0 || places.some(({ place }) => place === sk)) return hadAny
    await table.transact(
      places.flatMap(({ key }) => [key, ...markersOf(key)]).map((key) => ({ delete: key })),
    )
  }
}

/** A value that was chosen for an API token may be chosen again. */
const markersOf = ({ sk }: Key): Key[] =>
  sk.startsWith(apiTokenPrefix) ? [apiTokenMarkerKey(sk.slice(apiTokenPrefix.length))] : []
