import type { AccessLinkCount, OneTimeAccessToken } from '../../../lib/client/generated/models.ts'
import type { ListAccessTokensQuery } from '../../../lib/client/generated/operations.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { formatDateTime, formatList, formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { type Column, DataList } from '../kit/data-list.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { FilterChips, SearchField } from '../kit/filters.tsx'
import { nameGuest } from '../kit/guest-name.ts'
import { EmptyList, NoResults, ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel, Tag } from '../kit/panel.tsx'
import { leaveFor, replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('accessLinks')

export const Section = ({ path: [id] }: SectionProps) =>
  id === undefined ? <LinkList /> : <LinkDetail id={Number(id)} />

type Ordering = NonNullable<ListAccessTokensQuery['ordering']>

/** All access links, or those that one user created. */
const LinkList = () => {
  const { query } = useRoute()
  const person = Number(query.get('person'))
  const filter = query.get('filter') ?? ''
  const expired = query.get('expired') ?? ''
  const change = (changes: Record<string, string>): void =>
    replaceQuery({ ...Object.fromEntries(query), ...changes })
  const ordering = (query.get('ordering') ?? '-created_at') as Ordering
  const list = useList(
    (page, options) =>
      client.accessLinks.listAccessTokens(
        {
          ...page,
          ordering,
          ...(person ? { person } : {}),
          ...(filter ? { filter } : {}),
          ...(expired ? { expired: expired === 'true' } : {}),
        },
        options,
      ),
    query.toString(),
  )
  return (
    <SectionPage heading={consoleText('accessLinks')} intro={t('intro')}>
      <div class="toolbar">
        <SearchField label={t('search')} value={filter} onSearch={(text) => change({ filter: text })} />
        <FilterChips
          label={t('expires')}
          value={expired}
          options={[
            { value: 'false', label: t('usable') },
            { value: 'true', label: t('expired') },
          ]}
          onChoose={(value) => change({ expired: value })}
        />
      </div>
      <Totals />
      {person > 0 && <OfPerson id={person} onClose={() => change({ person: '' })} />}
      <DataList
        label={consoleText('accessLinks')}
        list={list}
        idOf={({ id }) => id}
        columns={getColumns()}
        ordering={ordering}
        onOrder={(field) => change({ ordering: field })}
        empty={
          person || filter || expired ? <NoResults /> : <EmptyList text={t('empty')} guide="access-links" />
        }
      />
    </SectionPage>
  )
}

/** How many links there are by their state. An empty list says so itself. */
const Totals = () => {
  const { value } = useLoaded((options) => client.accessLinks.getAccessTokenTotals(options))
  if (!value || value.not_expired.count + value.expired.count === 0) return null
  const describe = ({ count, has_more: hasMore }: AccessLinkCount): string =>
    hasMore ? t('moreThan', { count: formatNumber(count) }) : formatNumber(count)
  return (
    <p class="note">
      {t('totals', { usable: describe(value.not_expired), expired: describe(value.expired) })}
    </p>
  )
}

const getColumns = (): readonly Column<OneTimeAccessToken>[] => [
  {
    name: 'content',
    header: t('content'),
    cell: (link) => <a href={toAddress('access-links', [link.id])}>{nameLink(link)}</a>,
  },
  {
    name: 'recipient',
    header: t('recipient'),
    cell: ({ user }) => <a href={toAddress('users', [user.id])}>{nameGuest(user.display_name)}</a>,
  },
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

interface OfPersonProps {
  readonly id: number
  readonly onClose: () => void
}

const OfPerson = ({ id, onClose }: OfPersonProps) => {
  const { value } = useLoaded((options) => client.users.getUser(id, {}, options), String(id))
  return (
    <Alert>
      {value && t('onlyOf', { name: value.username })}{' '}
      <Button look="quiet" onClick={onClose}>
        {t('allLinks')}
      </Button>
    </Alert>
  )
}

/** One access link with its latest uses. The value of the link is not shown. */
const LinkDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.accessLinks.getAccessToken(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(link) => (
        <SectionPage
          heading={nameLink(link)}
          parent={{ address: toAddress('access-links'), label: consoleText('accessLinks') }}
          actions={
            <>
              <EventsLink of={{ object: `access-link:${id}`, name: nameLink(link) }} />
              <DeleteButton
                label={t('revokeLink')}
                name={nameLink(link)}
                text={t('revokeLinkText')}
                onDelete={async () => {
                  await client.accessLinks.deleteAccessToken(id)
                  showToast(t('revoked'))
                  leaveFor(toAddress('access-links'))
                }}
              />
            </>
          }
        >
          <Overview link={link} />
          <Activity link={link} />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface LinkProps {
  readonly link: OneTimeAccessToken
}

const Overview = ({ link }: LinkProps) => {
  const { user, created_by: creator } = link
  const protections = [
    ...(link.has_password ? [t('withPassword')] : []),
    ...(link.require_login ? [t('withSignIn')] : []),
  ]
  return (
    <Panel heading={t('overview')}>
      <Facts
        facts={[
          { label: t('content'), value: describeContent(link) },
          {
            label: t('recipient'),
            value: <a href={toAddress('users', [user.id])}>{nameGuest(user.display_name)}</a>,
          },
          {
            label: t('createdBy'),
            value: creator ? (
              <a href={toAddress('users', [creator.id])}>{creator.display_name}</a>
            ) : (
              consoleText('none')
            ),
          },
          { label: t('created'), value: formatDateTime(link.created_at) },
          { label: t('expires'), value: <LinkExpiry expires={link.expires} /> },
          {
            label: t('views'),
            value: link.view_limit_enabled ? formatNumber(link.view_limit_left) : t('unlimited'),
          },
          { label: t('protection'), value: formatList(protections) || consoleText('none') },
        ]}
      />
    </Panel>
  )
}

const Activity = ({ link: { activity } }: LinkProps) => (
  <Panel heading={t('activity')}>
    {activity.length === 0 ? (
      <p>{t('noActivity')}</p>
    ) : (
      <ul class="items">
        {activity.map(({ id, date, ip }) => (
          <li key={id}>
            <span>{formatDateTime(date)}</span>
            <span>{ip}</span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

/** What a link opens, by its names. */
const describeContent = ({
  shared_bundles: bundles,
  shared_directories: directories,
}: OneTimeAccessToken): string => formatList([...bundles, ...directories].map(({ name }) => name))

/** Names a link by what it opens. Products need not send names of their objects. */
const nameLink = (link: OneTimeAccessToken): string =>
  describeContent(link) || t('link', { number: String(link.id) })

/** When a link stops working. */
const LinkExpiry = ({ expires }: Pick<OneTimeAccessToken, 'expires'>) => {
  if (expires === null) return <>{consoleText('never')}</>
  if (Date.parse(expires) <= Date.now()) return <Tag kind="bad">{t('expired')}</Tag>
  return <>{formatDateTime(expires)}</>
}
