import { useState } from 'preact/hooks'
import type { APIToken, OwnedAPIToken } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { EmptyList, ShowLoaded } from '../kit/load-state.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { UserName, UserPicker } from '../people/user-picker.tsx'
import { useRevocation } from './revocation.tsx'
import { TokenDetail } from './token-detail.tsx'

const t = messagesOf('apiTokens')
const consoleText = messagesOf('console')
const people = messagesOf('people')

export const Section = ({ path: [ownerId, id] }: SectionProps) => {
  const owner = Number(useRoute().query.get('user'))
  if (id !== undefined) return <TokenDetail key={id} owner={Number(ownerId)} id={Number(id)} />
  return owner ? <TokenList key={owner} owner={owner} /> : <AllTokens />
}

/** The API tokens of all users, newest first, with a search for the owner. */
const AllTokens = () => {
  const list = useList((page, options) => client.apiTokens.listApiTokensOfAllUsers(page, options))
  const { revoke, dialog } = useRevocation<OwnedAPIToken>(({ user }) => user.id, list.reload)
  const [name, ...others] = buildTokenColumns(revoke, ({ user }) => user.id)
  const owner = {
    name: 'owner',
    header: t('owner'),
    cell: ({ user }: OwnedAPIToken) => (
      <a href={toAddress('users', [user.id])}>
        <UserName user={user} />
      </a>
    ),
  }
  return (
    <SectionPage heading={consoleText('apiTokens')} intro={t('intro')}>
      <UserPicker
        label={t('findOwner')}
        action={t('show')}
        onPick={({ id }) => replaceQuery({ user: String(id) })}
      />
      <DataList
        label={consoleText('apiTokens')}
        list={list}
        idOf={({ id }) => id}
        columns={[name, owner, ...others]}
        empty={<EmptyList text={t('emptyAll')} create="/account#/api-tokens" guide="api-tokens" />}
      />
      {dialog}
    </SectionPage>
  )
}

/** The API tokens of one user, newest first. Their values are never shown again. */
const TokenList = ({ owner }: { readonly owner: number }) => {
  const user = useLoaded((options) => client.users.getUser(owner, {}, options))
  const { query } = useRoute()
  const [name, setName] = useState(query.get('name') ?? '')
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
            columns={buildTokenColumns(revoke, () => owner)}
            empty={<p>{name ? consoleText('noResults') : t('empty')}</p>}
          />
          {dialog}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

/** The columns of a list of API tokens, with the name first and a button that revokes last. */
const buildTokenColumns = <Token extends APIToken>(
  onRevoke: (token: Token) => void,
  ownerOf: (token: Token) => number,
): [Column<Token>, ...Column<Token>[]] => [
  {
    name: 'name',
    header: people('name'),
    cell: (token) => <a href={toAddress('api-tokens', [ownerOf(token), token.id])}>{token.name}</a>,
  },
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
