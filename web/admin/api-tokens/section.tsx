import { useState } from 'preact/hooks'
import type { APIToken, OwnedAPIToken } from '../../../lib/client/generated/models.ts'
import type { ListApiTokensOfAllUsersQuery } from '../../../lib/client/generated/operations.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { FilterChips, SearchField } from '../kit/filters.tsx'
import { EmptyList, NoResults, ShowLoaded } from '../kit/load-state.tsx'
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

/** The API tokens of all users, newest first, with filters for those that may do too much, or that nothing uses. */
const AllTokens = () => {
  const { query } = useRoute()
  const chosen = (filter: string): string => query.get(filter) ?? ''
  const change = (changes: Record<string, string>): void =>
    replaceQuery({ ...Object.fromEntries(query), ...changes })
  const address = query.toString()
  const list = useList(
    (page, options) => client.apiTokens.listApiTokensOfAllUsers({ ...page, ...toFilters(address) }, options),
    address,
  )
  const { revoke, dialog } = useRevocation<OwnedAPIToken>(({ user }) => user.id, list.reload)
  const [nameColumn, ...others] = buildTokenColumns(revoke, ({ user }) => user.id)
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
      <div class="toolbar">
        <UserPicker
          label={t('findOwner')}
          action={t('show')}
          onPick={({ id }) => replaceQuery({ user: String(id) })}
        />
        <SearchField
          label={t('findByName')}
          value={chosen('name')}
          onSearch={(text) => change({ name: text })}
        />
        <SearchField
          label={t('findScope')}
          value={chosen('scope')}
          onSearch={(text) => change({ scope: text })}
        />
      </div>
      <div class="toolbar">
        <FilterChips
          label={t('limits')}
          value={chosen('limits')}
          options={[
            { value: 'none', label: t('onlyUnlimited') },
            { value: 'some', label: t('onlyLimited') },
          ]}
          onChoose={(value) => change({ limits: value })}
        />
        <FilterChips
          label={t('use')}
          value={chosen('unused')}
          options={[
            { value: '30', label: t('unusedMonth') },
            { value: '365', label: t('unusedYear') },
          ]}
          onChoose={(value) => change({ unused: value })}
        />
      </div>
      <DataList
        label={consoleText('apiTokens')}
        list={list}
        idOf={({ id }) => id}
        columns={[nameColumn, owner, ...others]}
        empty={
          address ? (
            <NoResults />
          ) : (
            <EmptyList text={t('emptyAll')} create="/account#/api-tokens" guide="api-tokens" />
          )
        }
      />
      {dialog}
    </SectionPage>
  )
}

const dayMs = 86_400_000

/** The filters of the address as the API takes them. */
const toFilters = (address: string): ListApiTokensOfAllUsersQuery => {
  const query = new URLSearchParams(address)
  const [name, scope, limits] = [query.get('name'), query.get('scope'), query.get('limits')]
  const days = Number(query.get('unused'))
  return {
    ...(name && { name }),
    ...(scope && { scope }),
    ...(limits && { unlimited: limits === 'none' }),
    ...(days > 0 && { unused_since: new Date(Date.now() - days * dayMs).toISOString() }),
  }
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
