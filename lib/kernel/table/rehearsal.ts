import { runEditCheck } from './edit-checks.ts'
import { applyUpdate, holds } from './evaluate-expressions.ts'
import { isAbsent, takeUpdate, type Update } from './expressions.ts'
import type { Key } from './keys/keys.ts'
import { keyNamesOf, type PageQuery, type Table } from './table.ts'
import {
  buildConditionError,
  ConditionFailed,
  getKey,
  type Item,
  mergeAdditions,
  type Step,
  toAdditionUpdate,
  wasCommitted,
} from './transaction.ts'

/**
 * A table that writes nothing. Each change counts for all later reads, and conditions are checked, so that changes can be tried out one
 * after the other. What was read once is not read again.
 *
 * @example
 * ```ts
 * const rehearsal = openRehearsal(services.table)
 * await createGroup(request, { ...services, table: rehearsal }) // Throws what the real call would throw.
 * ```
 */
export const openRehearsal = (table: Table): Table => {
  const written = new Map<string, Item | undefined>()
  const stored = new Map<string, Promise<Item | undefined>>()

  const readStored = (key: Key): Promise<Item | undefined> => {
    const name = nameOf(key)
    const known = stored.get(name) ?? table.get({ pk: key.pk, sk: key.sk })
    stored.set(name, known)
    return known
  }
  const read = async (key: Key): Promise<Item | undefined> =>
    written.has(nameOf(key)) ? written.get(nameOf(key)) : readStored(key)

  /** Puts what was written in the place of what is stored. */
  const merge = (found: readonly Item[], isWanted: (item: Item) => boolean): readonly Item[] =>
    [
      ...found.filter((item) => !written.has(nameOf(item))),
      ...[...written.values()].filter((item) => item !== undefined && isWanted(item)),
    ] as readonly Item[]

  const update = async (key: Key, changes: Update): Promise<Item> => {
    const after = applyUpdate(changes, key, await read(key))
    if (!after) throw new ConditionFailed()
    written.set(nameOf(key), after)
    return after
  }

  /** The item after a step, or undefined without one. @throws ConditionFailed */
  const tryStep = async (step: Step): Promise<Item | undefined> => {
    const key = getKey(step)
    if (isCounting(step)) return undefined
    if ('update' in step || 'addTo' in step) {
      const changes = 'update' in step ? step.changes : toAdditionUpdate(step)
      const after = applyUpdate(changes, key, await read(key))
      if (!after) throw new ConditionFailed()
      return after
    }
    if (step.condition && !holds(step.condition, await read(key))) throw new ConditionFailed()
    if ('put' in step) return step.put
    return 'check' in step ? read(key) : undefined
  }

  /** IDs of what does not exist begin far above those of what does. */
  let nextId = 2 ** 30
  return {
    get: read,
    getMany: async (keys) => {
      const missing = keys.filter((key) => !written.has(nameOf(key)) && !stored.has(nameOf(key)))
      if (missing.length > 0) {
        const items = await table.getMany(missing)
        for (const [at, key] of missing.entries()) stored.set(nameOf(key), Promise.resolve(items[at]))
      }
      return Promise.all(keys.map(read))
    },
    list: async (pk, prefix) =>
      merge(await table.list(pk, prefix), (item) => item.pk === pk && item.sk.startsWith(prefix)).toSorted(
        (a, b) => compareTexts(a.sk, b.sk),
      ),
    page: async (query) => {
      const { pk, index, from, to, isDescending = false, limit } = query
      const { partitionKey: hash, sortKey: range } = keyNamesOf(index)
      const found = await table.page({ ...query, limit: limit + written.size })
      const isWanted = (item: Item): boolean =>
        item[hash] === pk && isWithin(String(item[range]), { from, to })
      const items = merge(found, isWanted).toSorted((a, b) =>
        compareTexts(String(a[range]), String(b[range])),
      )
      return (isDescending ? items.reverse() : items).slice(0, limit)
    },
    reportUnreadable: (error) => table.reportUnreadable(error),
    put: async (item) => {
      written.set(nameOf(item), item)
    },
    reserve: async (item) => {
      if (!holds(isAbsent, await read(item))) throw new ConditionFailed()
      written.set(nameOf(item), item)
    },
    update,
    tryUpdate: async (key, changes) => {
      await update(key, changes)
    },
    take: async (key, nowSeconds, given) => {
      const taking = update(key, takeUpdate(nowSeconds, given))
      return (await wasCommitted(taking)) ? taking : undefined
    },
    transact: async (given) => {
      await runEditCheck(given)
      const steps = mergeAdditions(given)
      const results = await Promise.allSettled(steps.map(tryStep))
      const failed = steps.filter((_, at) => results[at]?.status === 'rejected')
      for (const result of results)
        if (result.status === 'rejected' && !(result.reason instanceof ConditionFailed)) throw result.reason
      if (failed.length > 0) throw buildConditionError(failed)
      for (const [at, step] of steps.entries()) {
        const result = results[at]
        if (!('check' in step || isCounting(step)) && result?.status === 'fulfilled')
          written.set(nameOf(getKey(step)), result.value)
      }
    },
    nextIds: async (_key, count = 1, nowMs = 0) => {
      const first = nextId
      nextId += count
      return { first, at: nowMs }
    },
  }
}

/** Totals are in many items, and nothing that is tried out reads them. */
const isCounting = (step: Step): boolean => 'addTo' in step && step.condition === undefined

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

const isWithin = (text: string, { from, to }: Pick<PageQuery, 'from' | 'to'>): boolean =>
  (from === undefined || compareTexts(text, from) >= 0) && (to === undefined || compareTexts(text, to) <= 0)

/** The order of sort keys. */
const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
