import { formatNumber } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { t as consoleText } from '../kit/messages.ts'
import { NamedList } from '../kit/named-list.tsx'
import { toAddress } from '../kit/route.ts'
import { describePermissions } from '../people/describe-permissions.ts'
import { t as people } from '../people/messages.ts'
import { t } from './messages.ts'

export const GroupList = () => {
  const { can } = useCurrentUser()
  return (
    <NamedList
      section="groups"
      heading={t('heading')}
      intro={t('intro')}
      create={can('users:manage') ? t('newGroup') : undefined}
      search={t('search')}
      load={client.groups.listGroups}
      columns={[
        {
          name: 'name',
          header: people('name'),
          ordering: 'name',
          cell: ({ id, name }) => <a href={toAddress('groups', [id])}>{name}</a>,
        },
        { name: 'members', header: t('members'), cell: ({ members }) => formatNumber(members.length) },
        {
          name: 'permissions',
          header: people('permissions'),
          cell: ({ permissions }) => describePermissions(permissions) || consoleText('none'),
        },
      ]}
      empty={t('empty')}
    />
  )
}
