import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { FieldErrorKind } from '../../kernel/errors/errors.ts'
import {
  passwordMaxLength,
  passwordMinLength,
  policyMatchingSteps,
} from '../../kernel/limits/password-limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Services } from '../../services.ts'
import { isBreached } from './breached-passwords.ts'
import { containsName } from './own-names.ts'
import type { CheckedPolicy } from './policy.ts'
import { estimateStrength, isEasyToGuess, type Strength } from './strength.ts'

export interface EvaluationOptions {
  /** The user who will have the password. It must not contain their names, and must meet the limits of the service. */
  readonly user?: UserRecord | undefined
  /** The strength, if it was estimated before. */
  readonly strength?: Strength | undefined
  /** Whether the password is random. Then it is not checked for patterns, which takes most of the time. */
  readonly isRandom?: boolean
}

/** A requirement that a password does not meet. The message is a sentence for the user, and never quotes the password. */
export interface PasswordProblem extends FieldErrorKind {
  readonly code: PasswordProblemCode
  readonly message: string
}

export type PasswordProblemCode =
  | 'max_length'
  | 'min_length'
  | 'contains_own_name'
  | 'contains_service_name'
  | 'rule_not_met'
  | 'expression_not_met'
  | 'too_costly_to_check'
  | 'too_easy_to_guess'
  | 'common_password'
  | 'breached_password'
  | 'same_password'

/**
 * Returns all requirements of a policy that a password does not meet. A password that exceeds the greatest length is not
 * evaluated any further.
 */
export const evaluate = async (
  services: Services,
  password: string,
  policy: CheckedPolicy,
  { user, strength, isRandom = false }: EvaluationOptions = {},
): Promise<readonly PasswordProblem[]> => {
  if (isTooLong(password))
    return [
      {
        code: 'max_length',
        limit: passwordMaxLength,
        message: `The password must have at most ${passwordMaxLength} characters.`,
      },
    ]
  const text = password.normalize('NFC')
  const lengthErrors = evaluateLength(text, Math.max(policy.min_length ?? 0, user ? passwordMinLength : 0))
  // A word that is too short needs no second reason.
  const nameErrors = user ? await evaluateNames(text, services.config, user) : []
  const isCommon = policy.no_pwned && lengthErrors.length === 0 && (await isKnownWord(text))
  const hasReason = isCommon || lengthErrors.length > 0 || nameErrors.length > 0
  return [
    ...lengthErrors,
    ...nameErrors,
    ...evaluateRules(text, policy),
    ...(policy.expression && !policy.expression.test(text)
      ? [
          {
            code: 'expression_not_met' as const,
            message: `The password must match the expression ${policy.expression.source}`,
          },
        ]
      : []),
    ...((await hasLittleEntropy(text, policy.min_entropy_bits ?? 0, strength)) ||
    (user && !isRandom && !hasReason && (await isPattern(text, services.config, user)))
      ? [
          {
            code: 'too_easy_to_guess' as const,
            message:
              'The password is too easy to guess. Make it longer, or use less common words and characters.',
          },
        ]
      : []),
    ...(isCommon
      ? [
          {
            code: 'common_password' as const,
            message:
              'The password is a common password or word, or a variation of one. Choose a different one.',
          },
        ]
      : []),
    ...(policy.no_pwned && !isCommon && (await isBreached(services, text))
      ? [
          {
            code: 'breached_password' as const,
            message:
              'The password was found in a data breach, so attackers will try it. Choose a different one.',
          },
        ]
      : []),
  ]
}

/** Checked first, because even normalizing a long text takes a long time. */
const isTooLong = (password: string): boolean =>
  // Normalizing shortens a text to a quarter at most.
  password.length > 4 * passwordMaxLength || countCharacters(password.normalize('NFC')) > passwordMaxLength

const countCharacters = (text: string): number => [...text].length

const evaluateLength = (text: string, atLeast: number): PasswordProblem[] =>
  countCharacters(text) < atLeast
    ? [
        {
          code: 'min_length',
          limit: atLeast,
          message: `The password must have at least ${atLeast} characters.`,
        },
      ]
    : []

const isKnownWord = async (text: string): Promise<boolean> => {
  // Loaded on demand, because the function for password tools has other operations too.
  const { isCommonPassword } = await import('./known-words.ts')
  return isCommonPassword(text)
}

const evaluateNames = async (text: string, config: Config, user: UserRecord): Promise<PasswordProblem[]> => {
  if (containsName(text, user))
    return [
      {
        code: 'contains_own_name',
        message: 'The password must not contain the username or the email address, not even backwards.',
      },
    ]
  const { isContextWord } = await import('./known-words.ts')
  return isContextWord(text, config, user)
    ? [
        {
          code: 'contains_service_name',
          message:
            'The password must not be a variation of your name, or of the name or the domain of this service.',
        },
      ]
    : []
}

const evaluateRules = (text: string, { rules }: CheckedPolicy): PasswordProblem[] => {
  const steps = { left: policyMatchingSteps }
  const problems = rules.flatMap(({ expression, min_count, group_name }): PasswordProblem[] => {
    const found = expression.count(text, min_count, steps)
    return found === undefined || found >= min_count
      ? []
      : [
          {
            code: 'rule_not_met',
            limit: min_count,
            rule: group_name,
            message: `The password must contain ${group_name} at least ${formatTimes(min_count)}.`,
          },
        ]
  })
  return steps.left < 0
    ? [
        ...problems,
        {
          code: 'too_costly_to_check',
          message: 'The password is too long to check all rules. Choose a shorter one.',
        },
      ]
    : problems
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const hasLittleEntropy = async (text: string, atLeast: number, known?: Strength): Promise<boolean> => {
  if (atLeast === 0) return false
  const { entropyBits } = known ?? (await estimateStrength(text))
  return entropyBits < atLeast
}

const isPattern = async (text: string, config: Config, user: UserRecord): Promise<boolean> => {
  const { listContextWords } = await import('./known-words.ts')
  return isEasyToGuess(text, listContextWords(config, user))
}
