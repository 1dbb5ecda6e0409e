import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Action } from '../../kit/button.tsx'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { ConflictDialog, type Draft, type Save, useLeaveGuard } from './use-save.tsx'

const t = messagesOf('console')

interface EditFormProps<Value extends object> {
  readonly label: string
  readonly draft: Draft<Value>
  readonly save: Save<Value>
  /** The names of the fields, for the question which changes to keep. */
  readonly labels: Readonly<Record<keyof Value, string>>
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>>
  /** Whether the fields can be sent. Otherwise they say why not. */
  readonly isValid?: boolean
  readonly children: ComponentChildren
}

/**
 * A form for a draft, with a bar that appears with the first change, stays in view, and asks before the person leaves.
 * Dialogs belong outside of it, because a form cannot contain another one.
 */
export const EditForm = <Value extends object>(props: EditFormProps<Value>) => {
  const { label, draft, save, labels, failures, isValid = true, children } = props
  const submit = (): void => {
    if (isValid) void save.action.run()
    else document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  useReturningFocus(draft.isChanged)
  return (
    <>
      <Form isRunning={save.action.isRunning} label={label} onSubmit={submit}>
        {children}
        <FailureAlert failure={save.action.failure} failures={failures} />
        {draft.isChanged && (
          <div class="save-bar">
            <span>{t('unsavedChanges')}</span>
            <div class="row">
              <Button look="secondary" onClick={() => draft.reset()}>
                {t('discard')}
              </Button>
              <Button type="submit">{kitText('save')}</Button>
            </div>
          </div>
        )}
      </Form>
      <DiscardDialog isChanged={draft.isChanged} />
      <ConflictDialog save={save} draft={draft} labels={labels} />
    </>
  )
}

/** Returns the focus to the field that had it last, because the bar with the pressed button goes away. */
const useReturningFocus = (isChanged: boolean): void => {
  useLayoutEffect(() => {
    if (!isChanged) return
    let field = document.activeElement
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof Element && !target.closest('.save-bar, dialog')) field = target
    }
    addEventListener('focusin', remember)
    return () => {
      removeEventListener('focusin', remember)
      const isLost = document.activeElement === document.body
      if (isLost && field instanceof HTMLElement) field.focus({ preventScroll: true })
    }
  }, [isChanged])
}

interface CreateFormProps {
  readonly label: string
  /** The label of the button that creates it. */
  readonly action: string
  readonly isChanged: boolean
  readonly create: Action<[]>
  readonly cancelAddress: string
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>>
  readonly onSubmit: () => void
  readonly children: ComponentChildren
}

/** A form that creates something. It asks before the person leaves it with input. */
export const CreateForm = (props: CreateFormProps) => {
  const { label, action, isChanged, create, cancelAddress, failures, onSubmit, children } = props
  return (
    <>
      <Form isRunning={create.isRunning} label={label} onSubmit={onSubmit}>
        {children}
        <FailureAlert failure={create.failure} failures={failures} />
        <div class="row">
          <Button type="submit">{action}</Button>
          <a class="button secondary" href={cancelAddress}>
            {kitText('cancel')}
          </a>
        </div>
      </Form>
      <DiscardDialog isChanged={isChanged} />
    </>
  )
}

interface LeaveDialogProps {
  /** Whether something would be lost. */
  readonly isGuarded: boolean
  readonly heading: string
  /** What would be lost. */
  readonly text: string
  /** The label of the button that leaves. */
  readonly action: string
}

/** Asks before the person leaves a form with changes. */
export const DiscardDialog = ({ isChanged }: { readonly isChanged: boolean }) => (
  <LeaveDialog
    isGuarded={isChanged}
    heading={t('discardHeading')}
    text={t('discardText')}
    action={t('discard')}
  />
)

/** Asks before the person leaves a place where something would be lost. */
export const LeaveDialog = ({ isGuarded, heading, text, action }: LeaveDialogProps) => {
  const { leave, stay } = useLeaveGuard(isGuarded)
  if (!leave) return null
  return (
    <ConfirmDialog
      heading={heading}
      action={action}
      onConfirm={async () => {
        leave()
        return undefined
      }}
      onClose={stay}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
}
