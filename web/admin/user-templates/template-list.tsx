import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { NamedList } from '../kit/named-list.tsx'
import { toAddress } from '../kit/route.ts'
import { describePermissions } from '../people/describe-permissions.ts'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('userTemplates')

export const TemplateList = () => {
  const { can } = useCurrentUser()
  return (
    <NamedList
      section="user-templates"
      heading={t('heading')}
      intro={t('intro')}
      create={can('users:manage') ? t('newTemplate') : undefined}
      load={client.userTemplates.listUserTemplates}
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
      empty={t('empty')}
    />
  )
}
