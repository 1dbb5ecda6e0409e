import type { ComponentChildren } from 'preact'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText } from '../../kit/messages.ts'
import type { Action } from '../../kit/use-action.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

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
      <Form label={label} onSubmit={onSubmit}>
        {children}
        <FailureAlert failure={create.failure} failures={failures} />
        <div class="row">
          <Button type="submit" isRunning={create.isRunning}>
            {action}
          </Button>
          <a class="button secondary" href={cancelAddress}>
            {kitText('cancel')}
          </a>
        </div>
      </Form>
      <DiscardDialog isChanged={isChanged} />
    </>
  )
}
