import type { APIToken } from '../../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { RenameDialog } from '../../session-kit/rename-dialog.tsx'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useAccount } from '../account-state.ts'
import { longestTokenName } from './create-token.tsx'
import { t } from './messages.ts'

interface TokenDialogProps {
  readonly token: APIToken
  readonly onClose: () => void
  readonly onChange: () => Promise<void>
}

export const RenameToken = ({ token, onClose, onChange }: TokenDialogProps) => {
  const { announce } = useAccount()
  const rename = useConfirmedAction(async (name: string) => {
    announce('')
    await client.apiTokens.patchApiToken(token.id, { name })
    await onChange()
    onClose()
    announce(t('nameSaved'))
    return undefined
  })
  return (
    <RenameDialog
      heading={t('renameToken')}
      label={t('tokenName')}
      name={token.name}
      maxLength={longestTokenName}
      action={rename}
      onClose={onClose}
    />
  )
}

export const RevokeToken = ({ token, onClose, onChange }: TokenDialogProps) => {
  const { announce } = useAccount()
  const revoke = useConfirmedAction(async () => {
    announce('')
    await client.apiTokens.deleteApiToken(token.id)
    await onChange()
    onClose()
    announce(t('tokenRevoked'))
    return undefined
  })
  return (
    <ConfirmDialog
      heading={t('revokeHeading', { name: token.name })}
      confirmLabel={t('revoke')}
      action={revoke}
      onClose={onClose}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
