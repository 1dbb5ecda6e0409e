import { isAbsent } from './expressions.ts'
import type { Key } from './keys/keys.ts'
import type { Table } from './table.ts'
import { ConditionFailed, type Item } from './transaction.ts'

/**
 * A table that writes nothing. What a transaction puts or deletes counts for later reads by key, so that changes can be tried out
 * one after the other. Lists are those of the real table. Of all conditions, only the one that something new must not exist is
 * checked.
 *
 * @example
 * ```ts
 * const rehearsal = openRehearsal(services.table)
 * await createGroup(request, { ...services, table: rehearsal }) // Throws what the real call would throw.
 * ```
 */
export const openRehearsal = (table: Table): Table => {
  const written = new Map<string, Item | undefined>()
  const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk])
  const read = async (key: Key): Promise<Item | undefined> =>
    written.has(nameOf(key)) ? written.get(nameOf(key)) : table.get({ pk: key.pk, sk: key.sk })
  /** IDs of what does not exist begin far above those of what does. */
  let nextId = 2 ** 30
  return {
    get: read,
    getMany: async (keys) => {
      const stored = await table.getMany(keys)
      return keys.map((key, at) => (written.has(nameOf(key)) ? written.get(nameOf(key)) : stored[at]))
    },
    list: (pk, prefix) => table.list(pk, prefix),
    page: (query) => table.page(query),
    reportUnreadable: (error) => table.reportUnreadable(error),
    put: async (item) => {
      written.set(nameOf(item), item)
    },
    reserve: async () => {},
    update: async (key) => (await read(key)) ?? { ...key },
    tryUpdate: async () => {},
    take: (key) => read(key),
    transact: async (steps) => {
      for (const step of steps)
        if ('put' in step && step.condition === isAbsent && (await read(step.put)) !== undefined)
          throw step.orElse?.() ?? new ConditionFailed()
      for (const step of steps)
        if ('put' in step) written.set(nameOf(step.put), step.put)
        else if ('delete' in step) written.set(nameOf(step.delete), undefined)
    },
    nextIds: async (_key, count = 1, nowMs = 0) => {
      const first = nextId
      nextId += count
      return { first, at: nowMs }
    },
  }
}
