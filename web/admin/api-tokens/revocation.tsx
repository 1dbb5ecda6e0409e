import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { AskEnd, type CredentialEnd } from '../credentials/ask-end.tsx'

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
    <AskEnd
      end={describeRevocation(revoked, getOwner(revoked))}
      onEnded={onRevoked}
      onClose={() => setRevoked(undefined)}
    />
  )
  return { revoke: setRevoked, dialog }
}

/** What is asked and done when an API token is revoked. */
export const describeRevocation = ({ id, name }: APIToken, owner: number): CredentialEnd => ({
  action: people('revoke'),
  question: t('revokeToken'),
  text: t('revokeTokenText', { name }),
  failures: { permission_denied: people('notAllowedForUser') },
  run: () => client.apiTokens.deleteApiToken(id, { user: owner }),
  done: t('revoked'),
})
