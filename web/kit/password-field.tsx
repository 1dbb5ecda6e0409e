import { useState } from 'preact/hooks'
import { FieldFrame, type TextFieldProps } from './field.tsx'
import { t } from './messages.ts'

interface PasswordFieldProps extends TextFieldProps {
  /** Whether the field shows the password at first, such as one that the service suggested. */
  readonly startsShown?: boolean
}

/** A field for a password, with a button that shows what was typed. */
export const PasswordField = (props: PasswordFieldProps) => {
  const { label, hint, problem, type: _, onChangeValue, startsShown = false, ...rest } = props
  const [isShown, setShown] = useState(startsShown)
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {(attributes) => (
        <div class="with-button">
          <input
            autocapitalize="none"
            spellcheck={false}
            {...rest}
            {...attributes}
            // Both types have the same attributes here.
            type={(isShown ? 'text' : 'password') as 'password'}
            onInput={(event) => onChangeValue(event.currentTarget.value)}
          />
          <button
            type="button"
            class="button inside"
            aria-pressed={isShown}
            aria-controls={attributes.id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t('hide') : t('show')}
            <span class="for-screen-readers"> {label}</span>
          </button>
        </div>
      )}
    </FieldFrame>
  )
}
