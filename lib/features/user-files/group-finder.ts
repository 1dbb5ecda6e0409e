import { findGroupIds, findGroups } from '../../accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../accounts/names/names.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import { groupsPerUser } from '../../kernel/limits/limits.ts'
import type { Table } from '../../kernel/table/table.ts'

export interface FoundGroups {
  readonly ids: readonly number[]
  /** Errors for names without a group. */
  readonly errors: readonly FieldError[]
}

/** Finds the groups of a line by ID or name. */
export interface GroupFinder {
  readonly findIds: (given: readonly (number | string)[]) => Promise<FoundGroups>
  /** The groups that exist among these IDs. */
  readonly findExisting: (ids: readonly number[]) => Promise<readonly { readonly id: number }[]>
}

/** Stands for all groups that do not exist yet. IDs begin with 1. */
const plannedGroup = 0

/**
 * Reads each group once, because a file repeats the same few groups. It does not notice later changes. A dry run treats names
 * as groups if `isPlanned` says that the import will create them.
 */
export const createGroupFinder = (
  table: Table,
  isPlanned: (name: string) => boolean = () => false,
): GroupFinder => {
  const idsByName = new Map<string, Promise<number | undefined>>()
  const knownIds = new Map<number, Promise<boolean>>()
  const findId = (name: string): Promise<number | undefined> =>
    memoize(
      idsByName,
      normalizeUsername(name),
      async (normalized) => (await findGroupIds(table, [normalized]))[0],
    )
  const exists = (id: number): Promise<boolean> =>
    memoize(knownIds, id, async () => (await findGroups(table, [id])).length > 0)
  return {
    findIds: async (given) => {
      if (given.length > groupsPerUser) return { ids: [], errors: [tooManyGroups] }
      const ids = await Promise.all(
        given.map(async (group) => {
          if (typeof group === 'number') return group
          return (await findId(group)) ?? (isPlanned(group) ? plannedGroup : undefined)
        }),
      )
      const unknown = given.flatMap((_, at) => (ids[at] === undefined ? [at] : []))
      return {
        ids: ids.filter((id) => id !== undefined),
        errors: unknown.map((at) => ({ field: `groups.${at}`, message: 'is not the name of a group' })),
      }
    },
    findExisting: async (ids) => {
      const found = await Promise.all(ids.map((id) => id === plannedGroup || exists(id)))
      return ids.filter((_, at) => found[at]).map((id) => ({ id }))
    },
  }
}

const tooManyGroups: FieldError = {
  field: 'groups',
  message: `must be at most ${groupsPerUser} entries long`,
}

/** Bounds the memory for a file with very many groups that do not exist. */
const memoizedLimit = 10_000

const memoize = <Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  find: (key: Key) => Promise<Value>,
): Promise<Value> => {
  const found = known.get(key) ?? find(key)
  if (known.size >= memoizedLimit) known.clear()
  known.set(key, found)
  return found
}
