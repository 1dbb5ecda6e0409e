import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { t } from './messages.ts'

interface FormDialogProps {
  readonly heading: string
  /** The label of the button that does it. */
  readonly action: string
  readonly look?: 'danger' | 'primary'
  readonly isRunning: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** What will happen, the fields, and why it failed. */
  readonly children: ComponentChildren
}

/** A dialog that does something, or nothing: a form with two buttons. */
export const FormDialog = (props: FormDialogProps) => {
  const { heading, action, look = 'primary', isRunning, onSubmit, onClose, children } = props
  return (
    <Dialog heading={heading} onClose={onClose}>
      <Form onSubmit={onSubmit}>
        {children}
        <div class="row">
          <Button type="submit" look={look} isRunning={isRunning}>
            {action}
          </Button>
          <Button look="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
