import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('apiTokens')
const people = messagesOf('people')

interface Revocation<Token> {
  /** Asks whether to revoke a token. */
  readonly revoke: (token: Token) => void
  readonly dialog: ComponentChildren
}

/** Revokes API tokens after the administrator confirmed it. */
export const useRevocation = <Token extends APIToken>(
  getOwner: (token: Token) => number,
  onRevoked: () => void,
): Revocation<Token> => {
  const [revoked, setRevoked] = useState<Token | undefined>()
  const dialog = revoked && (
    <ConfirmDialog
      heading={t('revokeToken')}
      action={people('revoke')}
      failures={{ permission_denied: people('notAllowedForUser') }}
      onConfirm={async () => {
        await client.apiTokens.deleteApiToken(revoked.id, { user: getOwner(revoked) })
        showToast(t('revoked'))
        onRevoked()
        return undefined
      }}
      onClose={() => setRevoked(undefined)}
    >
      <p>{t('revokeTokenText', { name: revoked.name })}</p>
    </ConfirmDialog>
  )
  return { revoke: setRevoked, dialog }
}
