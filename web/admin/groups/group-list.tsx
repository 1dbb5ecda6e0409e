import { formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { NamedList } from '../kit/named-list.tsx'
import { toAddress } from '../kit/route.ts'
import { describePermissions } from '../people/describe-permissions.ts'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('groups')

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
