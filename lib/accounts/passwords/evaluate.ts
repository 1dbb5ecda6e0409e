import { passwordMaxLength, passwordMinLength, policyMatchingSteps } from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { isBreached } from './breached-passwords.ts'
import { containsName } from './own-names.ts'
import type { CheckedPolicy } from './policy.ts'
import { estimateStrength, type Strength } from './strength.ts'

export interface PasswordFacts {
  /** Whose password it is to be: then it must not hold the user's names, and the bounds of the system hold. */
  readonly user?: UserRecord | undefined
  /** When it was estimated already. */
  readonly strength?: Strength | undefined
}

/**
 * All that a policy has against a password: whole sentences for whoever chooses it, none of which quotes it. What is
 * longer than any password may be is told so and looked at no further.
 */
export const evaluate = async (
  services: Services,
  password: string,
  policy: CheckedPolicy,
  { user, strength }: PasswordFacts = {},
): Promise<readonly string[]> => {
  if (isTooLong(password)) return [`The password must have at most ${passwordMaxLength} characters.`]
  const text = password.normalize('NFC')
  return [
    ...lengthFaults(text, Math.max(policy.minLength ?? 0, user ? passwordMinLength : 0)),
    ...(user && containsName(text, user)
      ? ['The password must not contain the username or the e-mail address, also not backwards.']
      : []),
    ...ruleFaults(text, policy),
    ...(policy.expression && !policy.expression.test(text)
      ? [`The password must match the expression ${policy.expression.source}`]
      : []),
    ...(await entropyFaults(text, policy.minEntropyBits ?? 0, strength)),
    ...(policy.noPwned && (await isBreached(services, text))
      ? ['The password is known from a data breach, so that attackers try it: choose one of your own.']
      : []),
  ]
}

/** Told before anything else is done with the text: to bring it into normal form alone can take long. */
const isTooLong = (password: string): boolean =>
  // No normal form is shorter than a quarter.
  password.length > 4 * passwordMaxLength || lengthOf(password.normalize('NFC')) > passwordMaxLength

const lengthOf = (text: string): number => [...text].length

const lengthFaults = (text: string, atLeast: number): string[] =>
  lengthOf(text) < atLeast ? [`The password must have at least ${atLeast} characters.`] : []

const ruleFaults = (text: string, { rules }: CheckedPolicy): string[] => {
  const steps = { left: policyMatchingSteps }
  const faults = rules.flatMap(({ expression, minCount, groupName }): string[] => {
    const found = expression.count(text, minCount, steps)
    return found === undefined || found >= minCount
      ? []
      : [`The password must contain ${groupName} at least ${times(minCount)}.`]
  })
  return steps.left < 0
    ? [...faults, 'The password is too long for all rules to be checked: choose a shorter one.']
    : faults
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const entropyFaults = async (text: string, atLeast: number, known?: Strength): Promise<string[]> => {
  if (atLeast === 0) return []
  const { entropyBits } = known ?? (await estimateStrength(text))
  return entropyBits < atLeast
    ? ['The password is too easy to guess: make it longer, or use words and characters that are less common.']
    : []
}
