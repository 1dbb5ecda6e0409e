import { useState } from 'preact/hooks'
import type { APIToken } from '../../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { type Column, DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useList } from '../kit/use-list.ts'
import { t as people } from '../people/messages.ts'
import { t } from './messages.ts'

/** The API tokens of one user. Their values are never shown again. */
export const TokenList = ({ owner }: { readonly owner: number }) => {
  const user = useLoaded((options) => client.users.getUser(owner, {}, options))
  const [name, setName] = useState('')
  const [revoked, setRevoked] = useState<APIToken | undefined>()
  const list = useList(
    (page, options) =>
      client.apiTokens.listApiTokens(
        { ...page, user: owner, ordering: 'name', ...(name ? { name } : {}) },
        options,
      ),
    name,
  )
  const columns: readonly Column<APIToken>[] = [
    { name: 'name', header: people('name'), cell: (token) => token.name },
    {
      name: 'scopes',
      header: t('scopes'),
      cell: ({ scopes }) => (scopes === null ? t('unlimited') : formatList(scopes)),
    },
    { name: 'used', header: t('lastUsed'), cell: ({ last_used_at: time }) => formatTime(time) },
    { name: 'expires', header: t('expires'), cell: ({ expires }) => formatTime(expires) },
    {
      name: 'revoke',
      header: people('revoke'),
      hidesHeader: true,
      cell: (token) => (
        <Button look="danger" onClick={() => setRevoked(token)}>
          {people('revoke')}
          <span class="for-screen-readers"> {token.name}</span>
        </Button>
      ),
    },
  ]
  return (
    <ShowLoaded loaded={user}>
      {({ username }) => (
        <SectionPage
          heading={t('ofUser', { name: username })}
          parent={{ address: toAddress('api-tokens'), label: t('otherUser') }}
        >
          <div class="toolbar">
            <SearchField label={t('findName')} value={name} onSearch={setName} />
          </div>
          <DataList
            label={t('ofUser', { name: username })}
            list={list}
            idOf={({ id }) => id}
            columns={columns}
            empty={<p>{name ? consoleText('noResults') : t('empty')}</p>}
          />
          {revoked && (
            <ConfirmDialog
              heading={t('revokeToken')}
              action={people('revoke')}
              failures={{ permission_denied: people('notAllowedForUser') }}
              onConfirm={async () => {
                await client.apiTokens.deleteApiToken(revoked.id, { user: owner })
                showToast(t('revoked'))
                list.reload()
                return undefined
              }}
              onClose={() => setRevoked(undefined)}
            >
              <p>{t('revokeTokenText', { name: revoked.name })}</p>
            </ConfirmDialog>
          )}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

const formatTime = (time: string | null): string =>
  time === null ? consoleText('never') : formatDateTime(time)
