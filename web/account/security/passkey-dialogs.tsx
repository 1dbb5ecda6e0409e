import type { Passkey } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { RenameDialog } from '../../session-kit/rename-dialog.tsx'
import { type ItemDialogProps, useItemChange } from '../items.tsx'

const t = messagesOf('security')

export const longestPasskeyName = 100

interface PasskeyDialogProps extends ItemDialogProps {
  readonly passkey: Passkey
}

export const RenamePasskey = ({ passkey, ...dialog }: PasskeyDialogProps) => {
  const rename = useItemChange(dialog, t('passkeyRenamed'), (name: string) =>
    client.passkeys.patchPasskey(passkey.id, { name }),
  )
  return (
    <RenameDialog
      heading={t('renameHeading')}
      label={t('name')}
      name={passkey.name}
      maxLength={longestPasskeyName}
      action={rename}
      onClose={dialog.onClose}
    />
  )
}

export const RemovePasskey = ({ passkey, ...dialog }: PasskeyDialogProps) => {
  const remove = useItemChange(dialog, t('passkeyRemoved'), () => client.passkeys.deletePasskey(passkey.id))
  return (
    <ConfirmDialog
      heading={t('removePasskeyHeading', { name: passkey.name })}
      confirmLabel={t('remove')}
      action={remove}
      messages={{ spare_factor_required: t('addSpareFirst') }}
      onClose={dialog.onClose}
    >
      <p>{t('removePasskeyText')}</p>
    </ConfirmDialog>
  )
}
