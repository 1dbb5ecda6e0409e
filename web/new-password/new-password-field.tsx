import { useEffect, useState } from 'preact/hooks'
import { PasswordField } from '../kit/field.tsx'
import { messagesOf } from '../kit/messages.ts'
import type { PasswordPolicy, PasswordRule } from './password-policy.ts'

const t = messagesOf('newPassword')

interface NewPasswordFieldProps {
  readonly label?: string
  readonly name?: string
  readonly value: string
  readonly onChangeValue: (value: string) => void
  /** Why the password is not accepted: see `describePasswordProblems`. */
  readonly problem?: string | undefined
  /** The account, for the password manager of the browser. Its name and address must not be in the password. */
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  /** What the password of this user must meet, as the service checks it. Undefined until it is known. */
  readonly policy: PasswordPolicy | undefined
  readonly autoFocus?: boolean
  /** Whether the field shows the password at first, such as one that the service suggested. */
  readonly startsShown?: boolean
}

/**
 * A field for a new password: its rules before they are broken, how strong it is, and a button that shows it. A hidden
 * field names the account for password managers.
 */
export const NewPasswordField = ({
  label = t('newPassword'),
  name = 'new-password',
  problem,
  username,
  email,
  policy,
  ...rest
}: NewPasswordFieldProps) => {
  const names = [username, email].filter((text) => typeof text === 'string').filter((text) => text !== '')
  return (
    <>
      {username !== undefined && (
        <input
          class="for-screen-readers"
          type="text"
          name="username"
          autocomplete="username"
          value={username}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      <PasswordField
        {...rest}
        label={label}
        name={name}
        autocomplete="new-password"
        required
        problem={problem}
        hint={policy && <PasswordRules policy={policy} password={rest.value} names={names} />}
      />
      <StrengthMeter password={rest.value} words={names} />
    </>
  )
}

interface PasswordRulesProps {
  readonly policy: PasswordPolicy
  readonly password: string
  readonly names: readonly string[]
}

const PasswordRules = ({ policy, password, names }: PasswordRulesProps) => (
  <ul class="password-rules">
    {listRules(policy, password, names).map(({ text, isMet }) => (
      <li key={text} class={isMet ? 'is-met' : undefined}>
        {text}
        {isMet && <span class="for-screen-readers"> {t('met')}</span>}
      </li>
    ))}
  </ul>
)

/** A rule for a new password, in words. */
interface ShownRule {
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

interface StrengthMeterProps {
  readonly password: string
  /** Words that an attacker would try first, such as the names of the person. */
  readonly words: readonly string[]
}

/** Long enough that a screen reader does not read every letter's result. */
const pauseMs = 400

/** How hard the password is to guess. Its dictionary is loaded when the person starts to type, and nothing waits for it. */
const StrengthMeter = ({ password, words }: StrengthMeterProps) => {
  const strength = useStrength(password, words)
  if (password === '' || strength === undefined) return <div class="strength" role="status" />
  const labels = [t('veryWeak'), t('weak'), t('fair'), t('good'), t('strong')]
  return (
    <div class="strength" role="status">
      <span class={`strength-bar strength-${strength}`} aria-hidden="true">
        {labels.slice(1).map((label, step) => (
          <span key={label} class={step < Math.max(strength, 1) ? 'is-filled' : undefined} />
        ))}
      </span>
      <span class="note">{t('strength', { strength: labels[strength] ?? '' })}</span>
    </div>
  )
}

const useStrength = (password: string, words: readonly string[]): number | undefined => {
  const [strength, setStrength] = useState<number | undefined>()
  const known = words.join('\n')
  useEffect(() => {
    if (password === '') return setStrength(undefined)
    let isOutdated = false
    const estimate = async (): Promise<void> => {
      // Without the dictionary, the page works as well.
      const loaded = await import('./estimate-strength.ts').catch(() => undefined)
      if (!isOutdated) setStrength(loaded?.estimateStrength(password, known.split('\n')))
    }
    const timer = setTimeout(estimate, pauseMs)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [password, known])
  return strength
}
