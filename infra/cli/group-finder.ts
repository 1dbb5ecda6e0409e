import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import type { FieldError } from '../../lib/core/errors.ts'
import { groupsPerUser } from '../../lib/core/limits.ts'
import { findGroupIds, findGroups } from '../../lib/store/directory/groups.ts'
import type { Table } from '../../lib/store/engine/table.ts'

export interface FoundGroups {
  readonly ids: readonly number[]
  /** Names that no group has. */
  readonly faults: readonly FieldError[]
}

/** Finds the groups that a line names, by id or name. */
export interface GroupFinder {
  readonly idsOf: (given: readonly (number | string)[]) => Promise<FoundGroups>
  /** Those of the ids that a group has. */
  readonly existing: (ids: readonly number[]) => Promise<readonly { readonly id: number }[]>
}

/** Asks the table once for each group, since a file names the same few over and over; what it learned may age. */
export const groupFinder = (table: Table): GroupFinder => {
  const idsByName = new Map<string, Promise<number | undefined>>()
  const knownIds = new Map<number, Promise<boolean>>()
  const idOf = (name: string): Promise<number | undefined> =>
    remembered(
      idsByName,
      normalizeUsername(name),
      async (normalized) => (await findGroupIds(table, [normalized]))[0],
    )
  const isThere = (id: number): Promise<boolean> =>
    remembered(knownIds, id, async () => (await findGroups(table, [id])).length > 0)
  return {
    idsOf: async (given) => {
      if (given.length > groupsPerUser) return { ids: [], faults: [tooMany] }
      const ids = await Promise.all(given.map((group) => (typeof group === 'number' ? group : idOf(group))))
      const unknown = given.flatMap((_, at) => (ids[at] === undefined ? [at] : []))
      return {
        ids: ids.filter((id) => id !== undefined),
        faults: unknown.map((at) => ({ field: `groups.${at}`, message: 'is the name of no group' })),
      }
    },
    existing: async (ids) => {
      const there = await Promise.all(ids.map(isThere))
      return ids.filter((_, at) => there[at]).map((id) => ({ id }))
    },
  }
}

const tooMany: FieldError = { field: 'groups', message: `must be at most ${groupsPerUser} entries long` }

/** So that a file full of groups that don't exist isn't held. */
const mostRemembered = 10_000

const remembered = <Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  find: (key: Key) => Promise<Value>,
): Promise<Value> => {
  const found = known.get(key) ?? find(key)
  if (known.size >= mostRemembered) known.clear()
  known.set(key, found)
  return found
}
