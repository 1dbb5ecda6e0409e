import type { ComponentChildren } from 'preact'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Form } from '../../kit/form.tsx'
import { t as kitText } from '../../kit/messages.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { t } from './messages.ts'

interface EditFormProps {
  readonly label: string
  readonly isChanged: boolean
  readonly isRunning: boolean
  readonly failure: ApiFailure | undefined
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>>
  readonly onSave: () => void
  readonly onDiscard: () => void
  readonly children: ComponentChildren
}

/**
 * A form with a bar that appears with the first change, stays in view, and asks before the person leaves. Dialogs belong
 * outside of it, because a form cannot contain another one.
 */
export const EditForm = (props: EditFormProps) => {
  const { label, isChanged, isRunning, failure, failures, onSave, onDiscard, children } = props
  return (
    <>
      <Form label={label} onSubmit={onSave}>
        {children}
        <FailureAlert failure={failure} failures={failures} />
        {isChanged && (
          <div class="save-bar">
            <span>{t('unsavedChanges')}</span>
            <div class="row">
              <Button look="secondary" onClick={onDiscard}>
                {t('discard')}
              </Button>
              <Button type="submit" isRunning={isRunning}>
                {kitText('save')}
              </Button>
            </div>
          </div>
        )}
      </Form>
      <DiscardDialog isChanged={isChanged} />
    </>
  )
}
