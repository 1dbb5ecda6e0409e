import { useState } from 'preact/hooks'
import { FieldFrame, type TextFieldProps } from './field.tsx'
import { t } from './messages.ts'

/** A field for a password, with a button that shows what was typed. */
export const PasswordField = ({ label, hint, problem, type: _, onChangeValue, ...rest }: TextFieldProps) => {
  const [isShown, setShown] = useState(false)
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
