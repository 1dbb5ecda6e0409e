import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { OperationErrors } from '../../../lib/client/generated/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { FailureAlert, type FailuresOf } from './failure-alert.tsx'
import { DiscardDialog } from './leave-dialog.tsx'
import { Sealed } from './managed-mark.tsx'
import { openTabOfProblem } from './tabs.tsx'
import { ConflictDialog, type EditedForm, type NewForm } from './use-save.tsx'

const t = messagesOf('console')

interface EditFormBase<Body extends object> {
  readonly label: string
  readonly form: EditedForm<Body>
  /** Whether the fields can be sent. Otherwise they say why not. */
  readonly isValid?: boolean
  /** Whether it has fields that no configuration document has. Then the others are in `Sealed`. */
  readonly hasUnsealed?: boolean
  readonly children: ComponentChildren
}

type EditFormProps<Body extends object, Operation extends keyof OperationErrors> = EditFormBase<Body> & {
  /** What the form sends. It decides which failures the form explains. */
  readonly operation: Operation
} & FailuresOf<Operation>

/**
 * A form of what is stored, with a bar that appears with the first change, stays in view, and asks before the person leaves.
 * Dialogs belong outside of it, because a form cannot contain another one.
 */
export const EditForm = <Body extends object, Operation extends keyof OperationErrors>(
  props: EditFormProps<Body, Operation>,
) => {
  const { label, form, failures, isValid = true, hasUnsealed = false, children } = props
  const { save, isChanged } = form
  const submit = (): void => {
    if (isValid) void save.run()
    else {
      document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      openTabOfProblem()
    }
  }
  useLayoutEffect(() => {
    if (save.failure) openTabOfProblem()
  }, [save.failure])
  useReturningFocus(isChanged)
  return (
    <>
      <Form isRunning={save.isRunning} label={label} onSubmit={submit}>
        {hasUnsealed ? children : <Sealed>{children}</Sealed>}
        <FailureAlert failure={save.failure} failures={failures} />
        {isChanged && (
          <div class="save-bar">
            <span>{t('unsavedChanges')}</span>
            <div class="row">
              <Button look="secondary" onClick={() => form.reset()}>
                {t('discard')}
              </Button>
              <Button type="submit">{kitText('save')}</Button>
            </div>
          </div>
        )}
      </Form>
      <DiscardDialog isChanged={isChanged} />
      <ConflictDialog form={form} />
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

interface CreateFormBase<Body extends object> {
  readonly label: string
  /** The label of the button that creates it. */
  readonly action: string
  readonly form: NewForm<Body>
  readonly cancelAddress: string
  readonly children: ComponentChildren
}

type CreateFormProps<Body extends object, Operation extends keyof OperationErrors> = CreateFormBase<Body> & {
  /** What the form sends. It decides which failures the form explains. */
  readonly operation: Operation
} & FailuresOf<Operation>

/** A form that creates something. It asks before the person leaves it with input. */
export const CreateForm = <Body extends object, Operation extends keyof OperationErrors>(
  props: CreateFormProps<Body, Operation>,
) => {
  const { label, action, form, cancelAddress, failures, children } = props
  const { create, isChanged, submit } = form
  return (
    <>
      <Form isRunning={create.isRunning} label={label} onSubmit={submit}>
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
