import { ConfirmDialog } from './confirm-dialog.tsx'
import { t } from './messages.ts'
import { useLeaveGuard } from './use-draft.ts'

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
