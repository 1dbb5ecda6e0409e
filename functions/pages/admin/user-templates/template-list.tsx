import type { ListUserTemplatesQuery } from '../../../../lib/client/generated/operations.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { DataList } from '../kit/data-list.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { describePermissions } from '../people/describe-permissions.ts'
import { t as people } from '../people/messages.ts'
import { t } from './messages.ts'

type Ordering = NonNullable<ListUserTemplatesQuery['ordering']>

export const TemplateList = () => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const ordering = (query.get('ordering') ?? 'name') as Ordering
  const list = useList(
    (page, options) => client.userTemplates.listUserTemplates({ ...page, ordering }, options),
    ordering,
  )
  return (
    <SectionPage
      heading={t('heading')}
      intro={t('intro')}
      actions={
        can('users:manage') && (
          <a class="button primary" href={toAddress('user-templates', ['new'])}>
            {t('newTemplate')}
          </a>
        )
      }
    >
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            name: 'name',
            header: people('name'),
            ordering: 'name',
            cell: ({ id, name }) => <a href={toAddress('user-templates', [id])}>{name}</a>,
          },
          {
            name: 'permissions',
            header: people('permissions'),
            cell: ({ permissions }) => describePermissions(permissions) || consoleText('none'),
          },
        ]}
        ordering={ordering}
        onOrder={(field) => replaceQuery({ ordering: field })}
        empty={<p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}
