import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { NamedList } from '../kit/named-list.tsx'
import { toAddress } from '../kit/route.ts'
import { CertificateList } from './certificate-list.tsx'

const t = messagesOf('samlProviders')

export const ProviderList = () => (
  <NamedList
    section="saml-providers"
    heading={t('heading')}
    intro={t('intro')}
    create={t('newProvider')}
    load={client.samlProviders.listSamlProviders}
    columns={[
      {
        name: 'name',
        header: t('name'),
        ordering: 'name',
        cell: ({ id, name }) => <a href={toAddress('saml-providers', [id])}>{name}</a>,
      },
      {
        name: 'shown',
        header: t('shown'),
        cell: ({ disabled_in_client: isHidden }) => t(isHidden ? 'no' : 'yes'),
      },
      {
        name: 'certificates',
        header: t('certificates'),
        cell: ({ certificate }) => <CertificateList text={certificate} />,
      },
    ]}
    empty={t('empty')}
  />
)
