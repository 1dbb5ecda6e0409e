import type { Organization } from '../../../lib/client/generated/models.ts'
import { formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { EmptyList, NoResults } from '../kit/load-state.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { NewOrganization } from './new-organization.tsx'
import { OrganizationDetail } from './organization-detail.tsx'
import { OrganizationState } from './organization-state.tsx'
import { OrganizationPolicyPage } from './policy-page.tsx'
import { OrganizationRolesPage } from './roles-page.tsx'
import { OrganizationTokenPage } from './token-page.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const organizationText = messagesOf('organization')
const t = messagesOf('organizations')

export const Section = ({ path: [id, part, partId] }: SectionProps) => {
  if (id === undefined) return <OrganizationList />
  if (id === 'roles') return <OrganizationRolesPage />
  if (part === 'api-tokens')
    return <OrganizationTokenPage key={partId} organizationId={Number(id)} id={Number(partId)} />
  if (id === 'policy') return <OrganizationPolicyPage />
  return id === 'new' ? <NewOrganization /> : <OrganizationDetail id={Number(id)} />
}

const listColumns = (): readonly Column<Organization>[] => [
  {
    name: 'name',
    header: people('name'),
    cell: ({ id, name }) => <a href={toAddress('organizations', [id])}>{name}</a>,
  },
  { name: 'slug', header: t('slug'), ordering: 'slug', cell: ({ slug }) => <code>{slug}</code> },
  {
    name: 'members',
    header: organizationText('members'),
    cell: ({ member_count: count }) => formatNumber(count),
  },
  {
    name: 'state',
    header: t('state'),
    cell: (organization) => <OrganizationState organization={organization} />,
  },
]

const OrganizationList = () => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const filter = query.get('filter') ?? ''
  const ordering = query.get('ordering') === '-slug' ? '-slug' : 'slug'
  const create = can('organizations:manage') && toAddress('organizations', ['new'])
  const change = (changes: Readonly<Record<string, string>>): void =>
    replaceQuery({ ...Object.fromEntries(query), ...changes })
  const list = useList(
    (page, options) =>
      client.organizations.listOrganizations({ ...page, ordering, ...(filter ? { filter } : {}) }, options),
    query.toString(),
  )
  return (
    <SectionPage
      heading={consoleText('organizations')}
      intro={t('intro')}
      actions={
        <>
          {can('system:admin-access') && (
            <>
              <a class="button secondary" href={toAddress('organizations', ['policy'])}>
                {t('policy')}
              </a>
              <a class="button secondary" href={toAddress('organizations', ['roles'])}>
                {t('roles')}
              </a>
            </>
          )}
          {create && (
            <a class="button primary" href={create}>
              {t('newOrganization')}
            </a>
          )}
        </>
      }
    >
      <div class="toolbar">
        <SearchField label={t('search')} value={filter} onSearch={(text) => change({ filter: text })} />
      </div>
      <DataList
        label={consoleText('organizations')}
        list={list}
        idOf={({ id }) => id}
        columns={listColumns()}
        ordering={ordering}
        onOrder={(field) => change({ ordering: field })}
        empty={filter ? <NoResults /> : <EmptyList text={t('empty')} create={create} guide="organizations" />}
      />
    </SectionPage>
  )
}
