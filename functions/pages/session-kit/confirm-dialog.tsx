import type { ComponentChildren } from 'preact'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Dialog } from '../kit/dialog.tsx'
import { t } from '../kit/messages.ts'
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
    <Dialog heading={heading} onClose={onClose}>
      {children}
      <Alert kind="problem">{action.failure && describeFailure(action.failure, messages)}</Alert>
      <div class="row">
        <Button look="danger" isRunning={action.isRunning} onClick={() => action.run()}>
          {confirmLabel}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
