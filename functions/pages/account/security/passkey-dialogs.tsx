import type { Passkey } from '../../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { RenameDialog } from '../../session-kit/rename-dialog.tsx'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useAccount } from '../account-state.ts'
import { t } from './messages.ts'

export const longestPasskeyName = 100

interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
  readonly onChange: () => Promise<void>
}

export const RenamePasskey = ({ passkey, onClose, onChange }: PasskeyDialogProps) => {
  const { announce } = useAccount()
  const rename = useConfirmedAction(async (name: string) => {
    announce('')
    await client.passkeys.patchPasskey(passkey.id, { name })
    await onChange()
    onClose()
    announce(t('passkeyRenamed'))
    return undefined
  })
  return (
    <RenameDialog
      heading={t('renameHeading')}
      label={t('name')}
      name={passkey.name}
      maxLength={longestPasskeyName}
      action={rename}
      onClose={onClose}
    />
  )
}

export const RemovePasskey = ({ passkey, onClose, onChange }: PasskeyDialogProps) => {
  const { announce } = useAccount()
  const remove = useConfirmedAction(async () => {
    announce('')
    await client.passkeys.deletePasskey(passkey.id)
    await onChange()
    onClose()
    announce(t('passkeyRemoved'))
    return undefined
  })
  return (
    <ConfirmDialog
      heading={t('removePasskeyHeading', { name: passkey.name })}
      confirmLabel={t('remove')}
      action={remove}
      messages={{ spare_factor_required: t('addSpareFirst') }}
      onClose={onClose}
    >
      <p>{t('removePasskeyText')}</p>
    </ConfirmDialog>
  )
}
