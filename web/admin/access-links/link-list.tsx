import type { OneTimeAccessToken } from '../../../lib/client/generated/models.ts'
import type { ListAccessTokensQuery } from '../../../lib/client/generated/operations.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { UserPicker } from '../people/user-picker.tsx'
import { describeContent, LinkExpiry } from './describe-link.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('accessLinks')

type Ordering = NonNullable<ListAccessTokensQuery['ordering']>

/** All access links, or those that one user created. */
export const LinkList = () => {
  const { query } = useRoute()
  const creator = Number(query.get('creator'))
  const ordering = (query.get('ordering') ?? '-created_at') as Ordering
  const list = useList(
    (page, options) =>
      client.accessTokens.listAccessTokens(
        { ...page, ordering, ...(creator ? { created_by: creator } : {}) },
        options,
      ),
    query.toString(),
  )
  return (
    <SectionPage heading={t('heading')} intro={t('intro')}>
      {creator ? <Creator id={creator} /> : <ChooseCreator />}
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={getColumns()}
        ordering={ordering}
        onOrder={(field) => replaceQuery({ ordering: field, creator: query.get('creator') ?? '' })}
        empty={<p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}

const getColumns = (): readonly Column<OneTimeAccessToken>[] => [
  {
    name: 'content',
    header: t('content'),
    cell: (link) => (
      <a href={toAddress('access-links', [link.id])}>
        {describeContent(link) || t('link', { number: String(link.id) })}
      </a>
    ),
  },
  { name: 'recipient', header: t('recipient'), cell: ({ user }) => user.display_name },
  {
    name: 'creator',
    header: t('createdBy'),
    cell: ({ created_by: creator }) => creator?.display_name ?? consoleText('none'),
  },
  {
    name: 'created',
    header: t('created'),
    ordering: 'created_at',
    cell: ({ created_at: time }) => formatDateTime(time),
  },
  {
    name: 'expires',
    header: t('expires'),
    ordering: 'expires',
    cell: ({ expires }) => <LinkExpiry expires={expires} />,
  },
]

const ChooseCreator = () => (
  <UserPicker
    label={t('filterCreator')}
    action={t('showLinks')}
    onPick={({ id }) => replaceQuery({ creator: String(id) })}
  />
)

const Creator = ({ id }: { readonly id: number }) => {
  const { value } = useLoaded((options) => client.users.getUser(id, {}, options), String(id))
  return (
    <div class="row">
      <strong>{value && t('onlyOf', { name: value.username })}</strong>
      <Button look="secondary" onClick={() => replaceQuery({})}>
        {t('allLinks')}
      </Button>
    </div>
  )
}
