import { randomInt } from 'node:crypto'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import {
  generatedBits,
  generatedLength,
  generatedLengthsTried,
  generatorAttemptsPerLength,
  generatorMatchingSteps,
  policyLength,
} from '../../kernel/limits/password-limits.ts'
import type { Services } from '../../services.ts'
import { evaluate } from './evaluate.ts'
import type { CheckedPolicy, CheckedRule } from './policy.ts'

export type GeneratedPassword =
  | { readonly password: string; readonly errors?: never }
  | { readonly errors: readonly FieldError[]; readonly password?: never }

/**
 * Generates a random password that the policy accepts, or explains why it cannot. The characters come from the
 * classes that the rules and the expression accept. Each candidate is then checked like any other password.
 */
export const generateFromPolicy = async (
  services: Services,
  policy: CheckedPolicy,
  user?: UserRecord,
): Promise<GeneratedPassword> => {
  const rules = policy.rules.map(toRuleClass)
  const findForm = createFormFinder(policy)
  // A random password of this length is in no list of breached passwords.
  const offline = { ...policy, no_pwned: false }
  const quick = { ...offline, min_entropy_bits: null }
  let reasons: readonly string[] = []
  for (const length of listCandidateLengths(policy)) {
    const form = findForm(length)
    const plan = form && planCharacters(rules, form, length)
    if (!plan) continue
    if (countBits(plan) < generatedBits) {
      reasons = ['It allows so few passwords that they could be guessed.']
      continue
    }
    for (let attempt = 0; attempt < generatorAttemptsPerLength; attempt++) {
      const password = createCandidate(plan)
      reasons = await listReasons(services, password, quick, user)
      if (reasons.length > 0) continue
      reasons = policy.min_entropy_bits ? await listReasons(services, password, offline, user) : []
      if (reasons.length === 0) return { password }
      // Estimating the entropy is slow, and only a longer password has more.
      break
    }
  }
  return { errors: [explain(policy, rules, reasons)] }
}

const listReasons = async (
  services: Services,
  password: string,
  policy: CheckedPolicy,
  user: UserRecord | undefined,
): Promise<readonly string[]> =>
  (await evaluate(services, password, policy, { user, isRandom: true })).map(({ message }) => message)

/** Any characters in any order, or those that the expression of the policy accepts. */
const createFormFinder = ({ expression }: CheckedPolicy): ((length: number) => PasswordForm | undefined) => {
  if (!expression) return () => ({ isAllowedInside: () => true })
  let stepsLeft = generatorMatchingSteps
  const matches = (text: string): boolean => {
    stepsLeft -= text.length * expression.size
    return stepsLeft >= 0 && expression.test(text)
  }
  return (length) => findPasswordForm(matches, length)
}

/** Lengths to try, the shortest first. Numbers in the expression count, because it may demand a certain length. */
const listCandidateLengths = (policy: CheckedPolicy): readonly number[] => {
  const shortest = getShortestLength(policy)
  const required = policy.rules.reduce((sum, { min_count }) => sum + min_count, 0)
  const numbers = (policy.regex?.match(/\d+/g) ?? []).map(Number).flatMap((n) => [n, n + 1, n + 2])
  return [...new Set([shortest, required, required + 2, 24, 32, 40, 48, 64, 96, policyLength, ...numbers])]
    .filter((length) => length >= shortest && length <= policyLength)
    .sort((a, b) => a - b)
    .slice(0, generatedLengthsTried)
}

const getShortestLength = ({ min_length, min_entropy_bits }: CheckedPolicy): number =>
  Math.max(
    generatedLength,
    min_length ?? 0,
    // The estimate counts ten guesses for each random character, and sometimes fewer.
    Math.ceil((min_entropy_bits ?? 0) / Math.log2(10)) + 2,
  )

const explain = (
  policy: CheckedPolicy,
  rules: readonly RuleClass[],
  reasons: readonly string[],
): FieldError => {
  const unmatchable = rules.findIndex(({ min_count, characters }) => min_count > 0 && characters.size === 0)
  if (unmatchable >= 0)
    return {
      field: `rules.${unmatchable}.group_regex`,
      message:
        'must match something that a generated password can contain: a single letter, digit, or symbol',
    }
  if (reasons.length > 0)
    return { field: 'body', message: `is met by no generated password: ${reasons.join(' ')}` }
  return {
    field: 'regex',
    message:
      `must accept random passwords of some length from ${getShortestLength(policy)} to ${policyLength} characters ` +
      'that use the same character classes in all positions except the first and the last',
  }
}

/** A rule of a policy with the single characters that it counts. */
interface RuleClass {
  readonly min_count: number
  readonly characters: ReadonlySet<string>
}

/** The characters to pick from for each position of a password. The inner ones are shuffled after picking. */
interface CharacterPlan {
  readonly first: readonly (readonly string[])[]
  readonly inner: readonly (readonly string[])[]
  readonly last: readonly (readonly string[])[]
}

const toRuleClass = ({ expression, min_count }: CheckedRule): RuleClass => {
  const unlimited = { left: Number.POSITIVE_INFINITY }
  const isCounted = (character: string) => expression.count(character, 1, unlimited) === 1
  return { min_count, characters: new Set(passwordCharacters.filter(isCounted)) }
}

/** Plans a password that meets the rules. Returns undefined when they require more characters than it has. */
const planCharacters = (
  rules: readonly RuleClass[],
  { isAllowedInside, ends }: PasswordForm,
  length: number,
): CharacterPlan | undefined => {
  const inner: (readonly string[])[] = []
  // The narrowest rule comes first, because its characters often count for the wider ones as well.
  for (const { min_count, characters } of rules.toSorted((a, b) => a.characters.size - b.characters.size)) {
    const allowed = selectCharacters((character) => characters.has(character) && isAllowedInside(character))
    if (allowed.length === 0) continue
    const isCounted = (others: readonly string[]) => others.every((character) => characters.has(character))
    for (let count = inner.filter(isCounted).length; count < min_count; count++) inner.push(allowed)
  }
  const free = length - inner.length - (ends ? 2 : 0)
  if (free < 0) return undefined
  const filler = selectCharacters(isAllowedInside)
  inner.push(...Array.from({ length: free }, () => filler))
  return { first: ends ? [ends.first] : [], inner, last: ends ? [ends.last] : [] }
}

const createCandidate = ({ first, inner, last }: CharacterPlan): string =>
  [...first.map(pickRandom), ...shuffle(inner.map(pickRandom)), ...last.map(pickRandom)].join('')

/** The randomness of a candidate in bits, leaving aside the order of its characters. */
const countBits = ({ first, inner, last }: CharacterPlan): number =>
  [...first, ...inner, ...last].reduce((bits, { length }) => bits + Math.log2(length), 0)

/** One of the items. Each is equally likely: `randomInt` has no modulo bias. */
const pickRandom = <T>(items: readonly T[]): T => {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

/** A copy in random order. Each order is equally likely (Fisher-Yates). */
const shuffle = <T>(items: readonly T[]): T[] => {
  const rest = [...items]
  return items.map(() => {
    const [item] = rest.splice(randomInt(rest.length), 1)
    if (item === undefined) throw new Error('There is nothing left to pick from.')
    return item
  })
}

/** The characters that passwords of one length may contain, by position. */
interface PasswordForm {
  readonly isAllowedInside: (character: string) => boolean
  /** The characters for the first and the last position. Undefined when all positions are alike. */
  readonly ends?: { readonly first: readonly string[]; readonly last: readonly string[] }
}

/**
 * Finds the form of the passwords of one length that an expression accepts. It tests passwords that repeat one
 * character, with other characters at the ends: `^[a-f0-9]{32}$` and `^[A-Z][a-z]{20,}[!?]$` have such a form.
 * Returns undefined when the expression rejects the length or distinguishes more positions.
 */
const findPasswordForm = (matches: (text: string) => boolean, length: number): PasswordForm | undefined => {
  const accepts = ([first, inner, last]: Sample): boolean => matches(first + inner.repeat(length - 2) + last)
  const [repeated] = selectCharacters((character) => accepts([character, character, character]))
  const sample: Sample | undefined =
    repeated === undefined ? mixedSamples.find(accepts) : [repeated, repeated, repeated]
  if (!sample) return undefined
  const [first, inner, last] = sample
  return {
    isAllowedInside: (character) => accepts([first, character, last]),
    ends: {
      first: selectCharacters((character) => accepts([character, inner, last])),
      last: selectCharacters((character) => accepts([first, inner, character])),
    },
  }
}

type Sample = readonly [first: string, inner: string, last: string]

/** One character of each common class. */
const typical = ['a', 'A', '7', '!', '-']

const mixedSamples = typical.flatMap((first) =>
  typical.flatMap((inner) => typical.map((last): Sample => [first, inner, last])),
)

const range = (first: string, last: string): string[] => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

const lookAlikes = new Set('0OoQ1lI|!`\'",.;:_~^-')
const printable = range('!', '~')
const distinct = printable.filter((character) => !lookAlikes.has(character))
const otherLetters = [...range('À', 'ÿ'), ...range('Α', 'ω'), ...range('А', 'я')]

/** The characters of generated passwords, the most readable first. Later sets serve policies that need them. */
const charsets: readonly (readonly string[])[] = [
  distinct.filter((character) => /[0-9A-Za-z]/.test(character)),
  distinct,
  printable,
  otherLetters.filter((character) => /\p{L}/u.test(character)),
]

/** All suitable characters of the first set that has any. Returns no characters when no set has one. */
const selectCharacters = (isSuitable: (character: string) => boolean): readonly string[] => {
  for (const charset of charsets) {
    const suitable = charset.filter(isSuitable)
    if (suitable.length > 0) return suitable
  }
  return []
}

/** All characters that a generated password may contain. */
const passwordCharacters: readonly string[] = [...new Set(charsets.flat())]
