import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useFormRuns } from './form.tsx'
import { t } from './messages.ts'
import { isPreview } from './start-path.ts'

interface FieldProps {
  readonly label: ComponentChildren
  /** Shown below the label, before anything is typed. */
  readonly hint?: ComponentChildren
  /** What is wrong with the value. */
  readonly problem?: ComponentChildren
}

interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': 'true' | undefined
}

interface FieldFrameProps extends FieldProps {
  /** Whether people do not see the field yet. Password managers fill it in, and the form may lead to it while it runs. */
  readonly isHidden?: boolean
  readonly children: (attributes: ControlAttributes) => ComponentChildren
}

/** The frame of a form control: label, hint and problem, connected for screen readers. */
export const FieldFrame = ({ label, hint, problem, isHidden = false, children }: FieldFrameProps) => {
  const id = useId()
  const formRuns = useFormRuns()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div
      class={isHidden ? 'field for-screen-readers' : 'field'}
      aria-hidden={isHidden && !formRuns ? 'true' : undefined}
    >
      <label for={id}>{label}</label>
      {hint && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': problem ? 'true' : undefined,
      })}
      {problem && (
        <div class="field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      )}
    </div>
  )
}

/** What a page can set on an input. */
export interface InputAttributes {
  readonly name?: string
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'number' | 'date' | 'datetime-local' | 'color'
  readonly autocomplete?: string
  readonly autocapitalize?: 'none' | 'characters' | 'words'
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url' | 'search'
  readonly spellcheck?: boolean
  readonly maxLength?: number
  readonly min?: number | string
  readonly max?: number | string
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
}

const withoutPreviewFocus = <Attributes extends InputAttributes>(attributes: Attributes): Attributes =>
  isPreview ? { ...attributes, autoFocus: false } : attributes

interface TextFieldProps extends FieldProps, InputAttributes {
  readonly value: string
  readonly onChangeValue: (value: string) => void
}

export const TextField = ({
  label,
  hint,
  problem,
  type = 'text',
  onChangeValue,
  ...rest
}: TextFieldProps) => (
  <FieldFrame label={label} hint={hint} problem={problem}>
    {(attributes) => (
      <input
        {...withoutPreviewFocus(rest)}
        {...attributes}
        // The types of inputs have different attributes. Those above exist for all of them.
        type={type as 'text'}
        onInput={(event) => onChangeValue(event.currentTarget.value)}
      />
    )}
  </FieldFrame>
)

interface CodeFieldProps extends TextFieldProps {
  readonly digits?: number
  /** Called with the last digit, so that no one has to press a button as well. */
  readonly onComplete?: ((code: string) => void) | undefined
}

/** A field for a code of digits. Some people and programs type a space in its middle. A recovery code may stand here, too. */
export const CodeField = ({ digits = 6, onComplete, onChangeValue, ...rest }: CodeFieldProps) => {
  const isComplete = (text: string): boolean =>
    /^[\d ]+$/.test(text.trim()) && text.replaceAll(' ', '').length === digits
  return (
    <TextField
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      {...rest}
      onChangeValue={(text) => {
        onChangeValue(text)
        if (isComplete(text) && !isComplete(rest.value)) onComplete?.(text)
      }}
    />
  )
}

interface SelectFieldProps extends FieldProps {
  readonly name?: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChangeValue: (value: string) => void
}

export const SelectField = ({
  label,
  hint,
  problem,
  name,
  value,
  options,
  onChangeValue,
}: SelectFieldProps) => (
  <FieldFrame label={label} hint={hint} problem={problem}>
    {(attributes) => (
      <select
        {...attributes}
        name={name}
        value={value}
        onChange={(event) => onChangeValue(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)

interface TextAreaFieldProps extends FieldProps {
  readonly name?: string
  readonly value: string
  readonly rows?: number
  readonly onChangeValue: (value: string) => void
}

export const TextAreaField = ({ label, hint, problem, onChangeValue, ...rest }: TextAreaFieldProps) => (
  <FieldFrame label={label} hint={hint} problem={problem}>
    {(attributes) => (
      <textarea {...rest} {...attributes} onInput={(event) => onChangeValue(event.currentTarget.value)} />
    )}
  </FieldFrame>
)

interface CheckboxProps {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isChecked: boolean) => void
}

export const Checkbox = ({ label, hint, isChecked, isDisabled, onChange }: CheckboxProps) => {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}

interface PasswordFieldProps extends TextFieldProps, Pick<FieldFrameProps, 'isHidden'> {
  /** Whether the field shows the password at first, such as one that the service suggested. */
  readonly startsShown?: boolean
}

/** A field for a password, with a button that shows what was typed. */
export const PasswordField = (props: PasswordFieldProps) => {
  const {
    label,
    hint,
    problem,
    type: _,
    onChangeValue,
    startsShown = false,
    isHidden = false,
    ...rest
  } = props
  const [isShown, setShown] = useState(startsShown)
  return (
    <FieldFrame label={label} hint={hint} problem={problem} isHidden={isHidden}>
      {(attributes) => (
        <div class="with-button">
          <input
            autocapitalize="none"
            spellcheck={false}
            {...withoutPreviewFocus(rest)}
            {...attributes}
            // Both types have the same attributes here.
            type={(isShown ? 'text' : 'password') as 'password'}
            tabIndex={isHidden ? -1 : undefined}
            onInput={(event) => onChangeValue(event.currentTarget.value)}
          />
          {!isHidden && (
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
          )}
        </div>
      )}
    </FieldFrame>
  )
}

/** The entries of a text area that has one in each line: without empty lines, and without spaces around them. */
export const readLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
