import type { FieldError } from '../../errors/errors.ts'
import {
  generatedBits,
  generatedLength,
  generatedLengthsTried,
  generatorAttemptsPerLength,
  generatorMatchingSteps,
  policyLength,
} from '../../limits/password-limits.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { countBits, createCandidate, planCharacters, type RuleClass, toRuleClass } from './character-plan.ts'
import { evaluate } from './evaluate.ts'
import { findPasswordForm, type PasswordForm } from './password-form.ts'
import type { CheckedPolicy } from './policy.ts'

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
  const offline = { ...policy, noPwned: false }
  const quick = { ...offline, minEntropyBits: null }
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
      reasons = policy.minEntropyBits ? await listReasons(services, password, offline, user) : []
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
  const required = policy.rules.reduce((sum, { minCount }) => sum + minCount, 0)
  const numbers = (policy.regex?.match(/\d+/g) ?? []).map(Number).flatMap((n) => [n, n + 1, n + 2])
  return [...new Set([shortest, required, required + 2, 24, 32, 40, 48, 64, 96, policyLength, ...numbers])]
    .filter((length) => length >= shortest && length <= policyLength)
    .sort((a, b) => a - b)
    .slice(0, generatedLengthsTried)
}

const getShortestLength = ({ minLength, minEntropyBits }: CheckedPolicy): number =>
  Math.max(
    generatedLength,
    minLength ?? 0,
    // The estimate counts ten guesses for each random character, and sometimes fewer.
    Math.ceil((minEntropyBits ?? 0) / Math.log2(10)) + 2,
  )

const explain = (
  policy: CheckedPolicy,
  rules: readonly RuleClass[],
  reasons: readonly string[],
): FieldError => {
  const unmatchable = rules.findIndex(({ minCount, characters }) => minCount > 0 && characters.size === 0)
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
