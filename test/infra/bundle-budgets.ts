import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '../../build/bundle/bundle.ts'
import { listStart } from '../../build/bundle/list-bundle.ts'

/** `npm run budgets` writes this file: how many KB each function may load at its start. */
export const budgetFile = join(import.meta.dirname, 'bundle-budgets.json')

export const readBudgets = (): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(budgetFile, 'utf8'))

/** About 3 % above the present size, so that small changes need no new budget. */
export const setBudget = ({ bytes }: Pick<Bundle, 'bytes'>): number => Math.ceil((bytes * 1.03) / 1024)

/** Describes the five largest parts of a bundle that exceeds its budget. Undefined if it does not. */
export const describeExcess = (
  { name, bytes, metafile }: Pick<Bundle, 'name' | 'bytes' | 'metafile'>,
  kilobytes: number | undefined,
): string | undefined => {
  if (kilobytes === undefined) return `${name} has no budget. Run \`npm run budgets\`.`
  if (bytes <= kilobytes * 1024) return undefined
  const largest = listStart({ metafile })
    .slice(0, 5)
    .map((part) => `${part.name} ${part.bytes}`)
  return `${name} starts with ${(bytes / 1024).toFixed(1)} KB of at most ${kilobytes}. Largest parts: ${largest.join(', ')}.`
}
