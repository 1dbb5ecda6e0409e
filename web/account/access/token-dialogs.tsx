import type { APIToken } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { RenameDialog } from '../../session-kit/rename-dialog.tsx'
import { type ItemDialogProps, useItemChange } from '../items.tsx'
import { longestTokenName } from './create-token.tsx'

const t = messagesOf('access')

interface TokenDialogProps extends ItemDialogProps {
  readonly token: APIToken
}

export const RenameToken = ({ token, ...dialog }: TokenDialogProps) => {
  const rename = useItemChange(dialog, t('nameSaved'), (name: string) =>
    client.apiTokens.patchApiToken(token.id, { name }),
  )
  return (
    <RenameDialog
      heading={t('renameToken')}
      label={t('tokenName')}
      name={token.name}
      maxLength={longestTokenName}
      action={rename}
      onClose={dialog.onClose}
    />
  )
}

export const RevokeToken = ({ token, ...dialog }: TokenDialogProps) => {
  const revoke = useItemChange(dialog, t('tokenRevoked'), () => client.apiTokens.deleteApiToken(token.id))
  return (
    <ConfirmDialog
      heading={t('revokeHeading', { name: token.name })}
      confirmLabel={t('revoke')}
      action={revoke}
      onClose={dialog.onClose}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
