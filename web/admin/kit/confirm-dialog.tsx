import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { FormDialog, useClosing } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from './failure-alert.tsx'
import { useLocked } from './managed-mark.tsx'

const t = messagesOf('console')

export interface ConfirmDialogProps {
  readonly heading: string
  /** What will happen. */
  readonly children: ComponentChildren
  /** The label of the button that does it. */
  readonly action: string
  readonly look?: 'danger' | 'primary'
  /** What the person has to type first, such as the name of what is lost. */
  readonly typed?: string
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>> | undefined
  readonly onConfirm: () => Promise<ApiFailure | undefined>
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. It closes after the action worked. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { heading, children, action, look = 'danger', typed, failures, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const close = useClosing(onClose)
  const confirm = useConfirmedAction(async () => {
    const failure = await onConfirm()
    if (!failure) close()
    return failure
  })
  const submit = (): void => {
    const isTyped = typed === undefined || text.trim() === typed
    setWrong(!isTyped)
    if (isTyped) void confirm.run()
  }
  return (
    <FormDialog
      heading={heading}
      action={action}
      look={look}
      onClose={onClose}
      isRunning={confirm.isRunning}
      onSubmit={submit}
    >
      <div class="stack">{children}</div>
      {typed !== undefined && (
        <TextField
          label={t('typeToConfirm', { text: typed })}
          problem={isWrong && t('typeToConfirmProblem', { text: typed })}
          value={text}
          onChangeValue={setText}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      )}
      <FailureAlert failure={confirm.failure} failures={failures} />
    </FormDialog>
  )
}

interface DeleteButtonProps {
  readonly label: string
  /** What is deleted. */
  readonly name: string
  /** What will happen. */
  readonly text: string
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>> | undefined
  readonly onDelete: () => Promise<void>
}

/** Deletes what a detail page shows, after a question. A banner says why there is no button for what a document manages. */
export const DeleteButton = ({ label, name, text, failures, onDelete }: DeleteButtonProps) => {
  const [isAsking, setAsking] = useState(false)
  if (useLocked()) return null
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={t('labeled', { label, name })}
          action={label}
          {...(failures ? { failures } : {})}
          onConfirm={async () => {
            await onDelete()
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
