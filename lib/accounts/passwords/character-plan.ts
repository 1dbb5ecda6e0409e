import { passwordCharacters, selectCharacters } from './charset.ts'
import type { PasswordForm } from './password-form.ts'
import type { CheckedRule } from './policy.ts'
import { pickRandom, shuffle } from './random.ts'

/** A rule of a policy with the single characters that it counts. */
export interface RuleClass {
  readonly minCount: number
  readonly characters: ReadonlySet<string>
}

/** The characters to pick from for each position of a password. The inner ones are shuffled after picking. */
export interface CharacterPlan {
  readonly first: readonly (readonly string[])[]
  readonly inner: readonly (readonly string[])[]
  readonly last: readonly (readonly string[])[]
}

export const toRuleClass = ({ expression, minCount }: CheckedRule): RuleClass => {
  const unlimited = { left: Number.POSITIVE_INFINITY }
  const isCounted = (character: string) => expression.count(character, 1, unlimited) === 1
  return { minCount, characters: new Set(passwordCharacters.filter(isCounted)) }
}

/** Plans a password that meets the rules. Returns undefined when they require more characters than it has. */
export const planCharacters = (
  rules: readonly RuleClass[],
  { isAllowedInside, ends }: PasswordForm,
  length: number,
): CharacterPlan | undefined => {
  const inner: (readonly string[])[] = []
  // The narrowest rule comes first, because its characters often count for the wider ones as well.
  for (const { minCount, characters } of rules.toSorted((a, b) => a.characters.size - b.characters.size)) {
    const allowed = selectCharacters((character) => characters.has(character) && isAllowedInside(character))
    if (allowed.length === 0) continue
    const isCounted = (others: readonly string[]) => others.every((character) => characters.has(character))
    for (let count = inner.filter(isCounted).length; count < minCount; count++) inner.push(allowed)
  }
  const free = length - inner.length - (ends ? 2 : 0)
  if (free < 0) return undefined
  const filler = selectCharacters(isAllowedInside)
  inner.push(...Array.from({ length: free }, () => filler))
  return { first: ends ? [ends.first] : [], inner, last: ends ? [ends.last] : [] }
}

export const createCandidate = ({ first, inner, last }: CharacterPlan): string =>
  [...first.map(pickRandom), ...shuffle(inner.map(pickRandom)), ...last.map(pickRandom)].join('')

/** The randomness of a candidate in bits, leaving aside the order of its characters. */
export const countBits = ({ first, inner, last }: CharacterPlan): number =>
  [...first, ...inner, ...last].reduce((bits, { length }) => bits + Math.log2(length), 0)
