import { messagesOf } from '../messages.ts'
import type { PasswordPolicy, PasswordRule } from './password-policy.ts'

const t = messagesOf('newPassword')

/** A rule for a new password, in words. */
export interface ShownRule {
  readonly text: string
  /** Undefined if only the service can check it. */
  readonly isMet: boolean | undefined
}

/** No password may be shorter, not even without a policy: `passwordMinLength` of the service. */
const leastLength = 8

/** Shorter names occur in many passwords by chance, so the service does not count them. */
const leastNameLength = 4

/** Lists the rules, with those that this password meets. */
export const listRules = (
  { rules = [], min_length: minLength, regex }: PasswordPolicy,
  password: string,
  names: readonly string[],
): readonly ShownRule[] => {
  const length = Math.max(minLength ?? 0, leastLength)
  const text = password.normalize('NFC')
  return [
    { text: t('ruleLength', { count: length }), isMet: [...text].length >= length },
    ...rules
      .filter(({ min_count: count }) => count > 0)
      .map((rule) => ({
        text: t('ruleContains', { count: rule.min_count, what: rule.group_name }),
        isMet: hasCharacters(text, rule),
      })),
    ...(regex ? [{ text: t('ruleForm'), isMet: undefined }] : []),
    { text: t('ruleNames'), isMet: names.length > 0 ? text !== '' && !containsName(text, names) : undefined },
    { text: t('ruleGuess'), isMet: undefined },
  ]
}

/** One character, or one class of them. Browsers check other expressions in a time that nothing limits. */
const simpleExpression = /^(?:\[(?:[^\]\\]|\\.)*\]|\\[dwsDWS]|\\[pP]\{\w+\}|[^\\[\](){}.*+?^$|])$/u

const hasCharacters = (
  text: string,
  { group_regex: source, min_count: count }: PasswordRule,
): boolean | undefined => {
  if (!simpleExpression.test(source)) return undefined
  try {
    return [...text.matchAll(new RegExp(source, 'gu'))].length >= count
  } catch {
    return undefined
  }
}

const containsName = (text: string, names: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return names.some((name) => [...name].length >= leastNameLength && lower.includes(name.toLowerCase()))
}
