import { messagesOf } from '../../kit/messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useLeaveGuard } from './use-draft.ts'

const t = messagesOf('console')

/** Asks before the person leaves a form with changes. */
export const DiscardDialog = ({ isChanged }: { readonly isChanged: boolean }) => {
  const { leave, stay } = useLeaveGuard(isChanged)
  if (!leave) return null
  return (
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
  )
}
