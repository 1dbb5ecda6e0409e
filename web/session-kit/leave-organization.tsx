import { messagesOf } from '../kit/messages.ts'
import { client } from './client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type ItemDialogProps, useItemChange } from './items.tsx'

const t = messagesOf('organization')

interface LeaveDialogProps extends ItemDialogProps {
  readonly organization: { readonly id: number; readonly name: string }
}

/** Asks before a person leaves an organization. */
export const LeaveDialog = ({ organization: { id, name }, ...dialog }: LeaveDialogProps) => {
  const leave = useItemChange(dialog, t('left', { name }), () => client.organizations.leaveOrganization(id))
  return (
    <ConfirmDialog
      heading={t('leaveHeading', { name })}
      confirmLabel={t('leave')}
      action={leave}
      messages={{ last_owner: t('lastOwner') }}
      onClose={dialog.onClose}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  )
}
