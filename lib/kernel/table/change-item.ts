import { isDeepStrictEqual } from 'node:util'
import type { Expressions, Update } from './expressions.ts'
import type { Table } from './table.ts'
import { type Item, type Step, wasCommitted } from './transaction.ts'

/** The names of the attributes that two forms of an item do not have in common. */
const listChangedAttributes = (before: Item, after: Item): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )

/**
 * Writes the attributes that differ, if none of them was changed since `before` was read. Other attributes can change
 * concurrently. So a write of the service always wins. Returns false if it did, or if the item was deleted. The extra
 * steps are written in the same transaction.
 */
export const changeItem = (
  table: Table,
  before: Item,
  after: Item,
  extraSteps: readonly Step[] = [],
): Promise<boolean> => {
  const key = { pk: before.pk, sk: before.sk }
  const changes = buildChanges(before, after)
  return wasCommitted(
    extraSteps.length > 0
      ? table.transact([{ update: key, changes }, ...extraSteps])
      : table.update(key, changes),
  )
}

const buildChanges = (before: Item, after: Item): Update => {
  const changed = listChangedAttributes(before, after)
  const isUnchanged = (x: Expressions, name: string): string =>
    before[name] === undefined
      ? `attribute_not_exists(${x.path(name)})`
      : `${x.path(name)} = ${x.value(before[name])}`
  return (x) => ({
    set: changed
      .filter((name) => after[name] !== undefined)
      .map((name) => `${x.path(name)} = ${x.value(after[name])}`),
    remove: changed.filter((name) => after[name] === undefined).map((name) => x.path(name)),
    condition: [`attribute_exists(${x.path('pk')})`, ...changed.map((name) => isUnchanged(x, name))].join(
      ' AND ',
    ),
  })
}
