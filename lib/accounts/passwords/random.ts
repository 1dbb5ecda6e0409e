import { randomInt } from 'node:crypto'

/** One of the items. Each is equally likely: `randomInt` has no modulo bias. */
export const pickRandom = <T>(items: readonly T[]): T => {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

/** A copy in random order. Each order is equally likely (Fisher-Yates). */
export const shuffle = <T>(items: readonly T[]): T[] => {
  const rest = [...items]
  return items.map(() => {
    const [item] = rest.splice(randomInt(rest.length), 1)
    if (item === undefined) throw new Error('There is nothing left to pick from.')
    return item
  })
}
