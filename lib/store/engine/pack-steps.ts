import { canMerge, formatStepKey, mergeAdditions, type Step } from './transaction.ts'

/** Something whose steps must be written together. */
export interface StepList {
  readonly steps: readonly Step[]
}

/** DynamoDB allows this many items in a transaction. */
const itemsPerTransaction = 100

interface Pack<List> {
  readonly lists: List[]
  readonly steps: Map<string, Step>
}

/**
 * Packs lists of steps into transactions, in their order if possible. No list is divided. A transaction has each item once:
 * lists that write the same item are in different ones. Equal checks of an item are one step, and so are additions to it. A list
 * that is too long for a transaction is a pack of its own.
 */
export const packSteps = <List extends StepList>(lists: readonly List[]): readonly (readonly List[])[] => {
  const packs: Pack<List>[] = []
  for (const list of lists) {
    const added = list.steps.map((step): KeyedStep => [formatStepKey(step), step])
    let pack = packs.find(({ steps }) => canAdd(steps, added))
    if (!pack) {
      pack = { lists: [], steps: new Map() }
      packs.push(pack)
    }
    pack.lists.push(list)
    for (const [key, step] of added) pack.steps.set(key, step)
  }
  return packs.map((pack) => pack.lists)
}

/** The steps of a pack, with equal checks once. */
export const unpackSteps = (pack: readonly StepList[]): readonly Step[] => {
  const steps = mergeAdditions(pack.flatMap((list) => list.steps))
  return [...new Map(steps.map((step) => [formatStepKey(step), step] as const)).values()]
}

type KeyedStep = readonly [key: string, step: Step]

const canAdd = (steps: ReadonlyMap<string, Step>, added: readonly KeyedStep[]): boolean => {
  let size = steps.size
  for (const [key, step] of added) {
    const known = steps.get(key)
    if (known && !isSameCheck(known, step) && !canMerge(known, step)) return false
    if (!known) size += 1
    if (size > itemsPerTransaction) return false
  }
  return true
}

const isSameCheck = (a: Step, b: Step): boolean => 'check' in a && 'check' in b && a.condition === b.condition
