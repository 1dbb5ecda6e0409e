import type { APIToken } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import type { Column } from '../kit/data-list.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('apiTokens')

/** The columns of a list of API tokens, with the name first and a button that revokes last. */
export const buildTokenColumns = <Token extends APIToken>(
  onRevoke: (token: Token) => void,
): [Column<Token>, ...Column<Token>[]] => [
  { name: 'name', header: people('name'), cell: (token) => token.name },
  {
    name: 'scopes',
    header: t('scopes'),
    cell: ({ scopes }) => (scopes === null ? t('unlimited') : formatList(scopes)),
  },
  { name: 'created', header: t('created'), cell: ({ created_at: time }) => formatDate(time) },
  { name: 'used', header: t('lastUsed'), cell: ({ last_used_at: time }) => formatTime(time) },
  { name: 'expires', header: t('expires'), cell: ({ expires }) => formatTime(expires) },
  {
    name: 'revoke',
    header: people('revoke'),
    hidesHeader: true,
    cell: (token) => (
      <Button look="danger" onClick={() => onRevoke(token)}>
        {people('revoke')}
        <span class="for-screen-readers"> {token.name}</span>
      </Button>
    ),
  },
]

const formatTime = (time: string | null): string => (time === null ? consoleText('never') : formatDate(time))
