import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Action } from '../kit/button.tsx'
import { Alert } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { t } from '../kit/messages.ts'

interface ConfirmDialogProps {
  readonly heading: string
  /** What happens, in the words of the button. */
  readonly confirmLabel: string
  readonly action: Action<[]>
  /** Messages of failures by reason or code. */
  readonly messages?: Readonly<Record<string, string>>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Asks before something is lost: a dialog with what happens, and a button that does it. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { heading, confirmLabel, action, messages, onClose, children } = props
  return (
    <FormDialog
      heading={heading}
      action={confirmLabel}
      look="danger"
      isRunning={action.isRunning}
      onSubmit={action.run}
      onClose={onClose}
    >
      {children}
      <Alert kind="problem">{action.failure && describeFailure(action.failure, messages)}</Alert>
    </FormDialog>
  )
}

interface RenameDialogProps {
  readonly heading: string
  readonly label: string
  /** The present name. */
  readonly name: string
  readonly maxLength: number
  readonly action: Action<[name: string]>
  readonly onClose: () => void
}

/** A dialog with a new name for something. */
export const RenameDialog = ({ heading, label, name, maxLength, action, onClose }: RenameDialogProps) => {
  const [value, setValue] = useState(name)
  const [isChecked, setChecked] = useState(false)
  const trimmed = value.trim()
  const submit = () => {
    setChecked(true)
    if (trimmed !== '') void action.run(trimmed)
  }
  return (
    <FormDialog
      heading={heading}
      action={t('save')}
      isRunning={action.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={label}
        autocomplete="off"
        maxLength={maxLength}
        problem={isChecked && trimmed === '' && t('required')}
        value={value}
        onChangeValue={setValue}
        autoFocus
      />
      <Alert kind="problem">{action.failure && describeFailure(action.failure)}</Alert>
    </FormDialog>
  )
}
