import { messagesOf } from '../messages.ts'
import { PasswordField } from '../password-field.tsx'
import { listRules } from './list-rules.ts'
import { type PasswordPolicy, usePasswordPolicy } from './password-policy.ts'
import { StrengthMeter } from './strength-meter.tsx'

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
  /** What this user's password must meet. Without it, the field loads the policy of the service. */
  readonly policy?: PasswordPolicy | undefined
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
  policy: knownPolicy,
  ...rest
}: NewPasswordFieldProps) => {
  const policy = usePasswordPolicy(knownPolicy)
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
