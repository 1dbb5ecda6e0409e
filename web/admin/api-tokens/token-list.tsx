import { useState } from 'preact/hooks'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { buildTokenColumns } from './token-columns.tsx'
import { useRevocation } from './use-revocation.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apiTokens')

/** The API tokens of one user, newest first. Their values are never shown again. */
export const TokenList = ({ owner }: { readonly owner: number }) => {
  const user = useLoaded((options) => client.users.getUser(owner, {}, options))
  const [name, setName] = useState('')
  const list = useList(
    (page, options) =>
      client.apiTokens.listApiTokens(
        { ...page, user: owner, ordering: '-id', ...(name ? { name } : {}) },
        options,
      ),
    name,
  )
  const { revoke, dialog } = useRevocation(() => owner, list.reload)
  return (
    <ShowLoaded loaded={user}>
      {({ username }) => (
        <SectionPage
          heading={t('ofUser', { name: username })}
          parent={{ address: toAddress('api-tokens'), label: t('allTokens') }}
        >
          <div class="toolbar">
            <SearchField label={t('findName')} value={name} onSearch={setName} />
          </div>
          <DataList
            label={t('ofUser', { name: username })}
            list={list}
            idOf={({ id }) => id}
            columns={buildTokenColumns(revoke)}
            empty={<p>{name ? consoleText('noResults') : t('empty')}</p>}
          />
          {dialog}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}
