import { client } from '../../session-kit/client.ts'
import { DataList } from '../kit/data-list.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { CertificateList } from './certificate-list.tsx'
import { t } from './messages.ts'

const orderings = ['name', '-name'] as const

export const ProviderList = () => {
  const { query } = useRoute()
  const ordering = orderings.find((name) => name === query.get('ordering')) ?? 'name'
  const list = useList(
    (page, options) => client.samlProviders.listSamlProviders({ ...page, ordering }, options),
    ordering,
  )
  return (
    <SectionPage
      heading={t('heading')}
      intro={t('intro')}
      actions={
        <a class="button primary" href={toAddress('saml-providers', ['new'])}>
          {t('newProvider')}
        </a>
      }
    >
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
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
        ordering={ordering}
        onOrder={(field) => replaceQuery({ ordering: field })}
        empty={<p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}
