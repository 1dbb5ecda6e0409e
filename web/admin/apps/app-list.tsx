import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { NamedList } from '../kit/named-list.tsx'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('apps')

export const AppList = () => (
  <NamedList
    section="apps"
    heading={t('heading')}
    intro={t('intro')}
    create={t('newApp')}
    search={t('search')}
    load={client.oidcClients.listOidcClients}
    columns={[
      {
        name: 'name',
        header: t('name'),
        cell: ({ id, name }) => <a href={toAddress('apps', [id])}>{name}</a>,
      },
      { name: 'kind', header: t('kind'), cell: ({ type }) => t(type) },
      { name: 'id', header: t('clientId'), cell: ({ client_id: id }) => <code>{id}</code> },
    ]}
    empty={t('empty')}
  />
)
