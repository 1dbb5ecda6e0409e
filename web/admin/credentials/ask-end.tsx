import { ConfirmDialog, type ConfirmDialogProps } from '../kit/confirm-dialog.tsx'
import { showToast } from '../kit/toast.tsx'

/** How a credential is ended: the words of the button, of the question and of what is said afterwards. */
export interface CredentialEnd extends Pick<ConfirmDialogProps, 'action' | 'failures'> {
  readonly question: string
  readonly text: string
  readonly run: () => Promise<unknown>
  /** What to say afterwards. */
  readonly done: string
}

interface AskEndProps {
  readonly end: CredentialEnd
  readonly onEnded: () => void
  readonly onClose: () => void
}

/** Asks whether to end a credential, and ends it. */
export const AskEnd = ({ end, onEnded, onClose }: AskEndProps) => (
  <ConfirmDialog
    heading={end.question}
    action={end.action}
    failures={end.failures}
    onConfirm={async () => {
      await end.run()
      showToast(end.done)
      onEnded()
      return undefined
    }}
    onClose={onClose}
  >
    <p>{end.text}</p>
  </ConfirmDialog>
)
