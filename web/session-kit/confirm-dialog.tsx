import type { ComponentChildren } from 'preact'
import { Alert } from '../kit/alert.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import type { Action } from '../kit/use-action.ts'

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
