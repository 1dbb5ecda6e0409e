import type { ListGroupsQuery } from '../../../../lib/client/generated/operations.ts'
import { formatNumber } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { NoResults } from '../kit/no-results.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { describePermissions } from '../people/describe-permissions.ts'
import { t as people } from '../people/messages.ts'
import { t } from './messages.ts'

type Ordering = NonNullable<ListGroupsQuery['ordering']>

export const GroupList = () => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const filter = query.get('filter') ?? ''
  const ordering = (query.get('ordering') ?? 'name') as Ordering
  const list = useList(
    (page, options) =>
      client.groups.listGroups({ ...page, ordering, ...(filter ? { filter } : {}) }, options),
    query.toString(),
  )
  return (
    <SectionPage
      heading={t('heading')}
      intro={t('intro')}
      actions={
        can('users:manage') && (
          <a class="button primary" href={toAddress('groups', ['new'])}>
            {t('newGroup')}
          </a>
        )
      }
    >
      <div class="toolbar">
        <SearchField
          label={t('search')}
          value={filter}
          onSearch={(text) => replaceQuery({ filter: text, ordering })}
        />
      </div>
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            name: 'name',
            header: people('name'),
            ordering: 'name',
            cell: ({ id, name }) => <a href={toAddress('groups', [id])}>{name}</a>,
          },
          {
            name: 'members',
            header: t('members'),
            cell: ({ members }) => formatNumber(members.length),
          },
          {
            name: 'permissions',
            header: people('permissions'),
            cell: ({ permissions }) => describePermissions(permissions) || consoleText('none'),
          },
        ]}
        ordering={ordering}
        onOrder={(field) => replaceQuery({ filter, ordering: field })}
        empty={filter ? <NoResults /> : <p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}
