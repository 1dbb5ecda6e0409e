import { client } from '../../session-kit/client.ts'
import { DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { NoResults } from '../kit/no-results.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { t } from './messages.ts'

export const AppList = () => {
  const { query } = useRoute()
  const filter = query.get('filter') ?? ''
  const list = useList(
    (page, options) =>
      client.oidcClients.listOidcClients(
        { ...page, ordering: 'name', ...(filter ? { filter } : {}) },
        options,
      ),
    filter,
  )
  return (
    <SectionPage
      heading={t('heading')}
      intro={t('intro')}
      actions={
        <a class="button primary" href={toAddress('apps', ['new'])}>
          {t('newApp')}
        </a>
      }
    >
      <div class="toolbar">
        <SearchField label={t('search')} value={filter} onSearch={(text) => replaceQuery({ filter: text })} />
      </div>
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            name: 'name',
            header: t('name'),
            cell: ({ id, name }) => <a href={toAddress('apps', [id])}>{name}</a>,
          },
          { name: 'kind', header: t('kind'), cell: ({ type }) => t(type) },
          { name: 'id', header: t('clientId'), cell: ({ client_id: id }) => <code>{id}</code> },
        ]}
        empty={filter ? <NoResults /> : <p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}
