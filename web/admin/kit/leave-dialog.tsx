import { useLayoutEffect, useState } from 'preact/hooks'
import { messagesOf } from '../../kit/messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { setLeaveGuard } from './route.ts'

const t = messagesOf('console')

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

/** Asks before a person leaves a form with changes. Returns what to do when they leave, while the question is open. */
const useLeaveGuard = (
  isChanged: boolean,
): { readonly leave: (() => void) | undefined; readonly stay: () => void } => {
  const [leave, setLeave] = useState<(() => void) | undefined>()
  // At once, because a person may leave right after they discarded their changes.
  useLayoutEffect(() => {
    if (!isChanged) return
    setLeaveGuard((goOn) => {
      setLeave(() => goOn)
      return true
    })
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => {
      setLeaveGuard(undefined)
      // The question is answered when there is nothing left to lose.
      setLeave(undefined)
      removeEventListener('beforeunload', warn)
    }
  }, [isChanged])
  return { leave, stay: () => setLeave(undefined) }
}
