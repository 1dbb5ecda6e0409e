import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '../../build/bundle/bundle.ts'
import { type BundlePart, listStart } from '../../build/bundle/list-bundle.ts'

/** What a function may load at its start, and what it loaded when the budget was set. */
export interface BundleBudget {
  readonly kilobytes: number
  /** Bytes of each package and folder. */
  readonly parts: Readonly<Record<string, number>>
}

/** `npm run budgets` writes this file. */
export const budgetFile = join(import.meta.dirname, 'bundle-budgets.json')

export const readBudgets = (): Readonly<Record<string, BundleBudget>> =>
  JSON.parse(readFileSync(budgetFile, 'utf8'))

/** About 3 % above the present size, so that small changes need no new budget. */
export const setBudget = (bundle: Bundle): BundleBudget => ({
  kilobytes: Math.ceil((bundle.bytes * 1.03) / 1024),
  parts: Object.fromEntries(listStart(bundle).map(({ name, bytes }) => [name, bytes])),
})

/** Describes the five parts that grew most since the budget was set, or undefined if the bundle stays below its budget. */
export const describeExcess = (
  { name, bytes, metafile }: Pick<Bundle, 'name' | 'bytes' | 'metafile'>,
  budget: BundleBudget | undefined,
): string | undefined => {
  if (!budget) return `${name} has no budget. Run \`npm run budgets\`.`
  if (bytes <= budget.kilobytes * 1024) return undefined
  const grown = listStart({ metafile })
    .map((part): BundlePart => ({ ...part, bytes: part.bytes - (budget.parts[part.name] ?? 0) }))
    .filter((part) => part.bytes > 0)
    .sort((left, right) => right.bytes - left.bytes)
    .slice(0, 5)
    .map((part) => `${part.name} +${part.bytes}`)
  const size = (bytes / 1024).toFixed(1)
  return `${name} starts with ${size} KB of at most ${budget.kilobytes}. Grown most: ${grown.join(', ')}.`
}
