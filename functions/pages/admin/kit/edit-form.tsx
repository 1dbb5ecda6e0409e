import type { ComponentChildren } from 'preact'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Form } from '../../kit/form.tsx'
import { t as kitText } from '../../kit/messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { t } from './messages.ts'
import { useLeaveGuard } from './use-draft.ts'

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
  const { label, isChanged, isRunning, failure, failures = {}, onSave, onDiscard, children } = props
  const { leave, stay } = useLeaveGuard(isChanged)
  return (
    <>
      <Form label={label} onSubmit={onSave}>
        {children}
        <Alert kind="problem">{failure && describeSaveFailure(failure, failures)}</Alert>
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
      {leave && (
        <ConfirmDialog
          heading={t('discardHeading')}
          action={t('discard')}
          onConfirm={async () => {
            leave()
            return undefined
          }}
          onClose={stay}
        >
          <p>{t('discardText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Explains why the API did not save a form. Fields show what is wrong with them. */
export const describeSaveFailure = (
  failure: ApiFailure,
  failures: Readonly<Record<string, string>> = {},
): string =>
  describeFailure(failure, {
    ...(failure.problem.errors?.length ? { invalid_request: t('problemFields') } : {}),
    ...failures,
  })
