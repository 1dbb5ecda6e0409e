import type { Fault } from '../../core/errors.ts'
import { firstThatFit } from './alphabet.ts'
import { type Chosen, chosenFrom } from './chance.ts'
import type { CheckedRule } from './policy.ts'
import { createSampler } from './sampler.ts'

/** Short texts, together as many matches as the rules of a policy ask for. */
export type Pieces =
  | { readonly make: () => readonly Chosen[]; readonly faults?: never }
  | { readonly faults: readonly Fault[]; readonly make: () => readonly Chosen[] }

/** The longest text that is looked for to match a rule which no single character does. */
const longestPiece = 32

/** Where a rule can't be matched by any text of characters that we would use, `faults` names it. */
export const createPieces = (rules: readonly CheckedRule[]): Pieces => {
  const sources = rules.map((rule, at) => ({ rule, at, ...sourceOf(rule) }))
  const faults = sources.flatMap(({ rule, at, make }): Fault[] =>
    make || rule.minCount === 0
      ? []
      : [
          {
            field: `rules.${at}.group_regex`,
            message: 'must match something that a generated password can hold',
          },
        ],
  )
  if (faults.length > 0) return { faults, make: () => [] }
  // Those that leave the least choice come first: what they bring counts for the others as well.
  const inOrder = sources.toSorted((a, b) => a.choices - b.choices)
  return {
    make: () => {
      const pieces: Chosen[] = []
      for (const { rule, make } of inOrder) {
        const there = pieces.reduce((sum, { text }) => sum + matches(rule, text), 0)
        for (let count = there; make && count < rule.minCount; count++) pieces.push(make())
      }
      return pieces
    },
  }
}

interface Source {
  readonly choices: number
  readonly make?: () => Chosen
}

const sourceOf = (rule: CheckedRule): Source => {
  const characters = firstThatFit((character) => matches(rule, character) > 0)
  if (characters.length > 0) return { choices: characters.length, make: () => chosenFrom(characters) }
  const sampler = createSampler(rule.expression.program(), longestPiece, false)
  for (let length = 2; length <= longestPiece; length++)
    if (sampler.canFill(length))
      return { choices: 1, make: () => sampler.fill(Array.from({ length }, () => undefined)) }
  return { choices: 0 }
}

const matches = ({ expression, minCount }: CheckedRule, text: string): number =>
  expression.count(text, Math.max(1, minCount), { left: Number.POSITIVE_INFINITY }) ?? 0
