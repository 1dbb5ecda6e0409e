import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { describeOrganizationPermission } from '../../session-kit/organization-permissions.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { CredentialPage } from '../credentials/credential-page.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('credentials')
const access = messagesOf('access')

interface OrganizationTokenPageProps {
  readonly organizationId: number
  readonly id: number
}

/** One API token of an organization. What was done with it stays in the audit log when it has ended. */
export const OrganizationTokenPage = ({ organizationId, id }: OrganizationTokenPageProps) => {
  const loaded = useLoaded(async (options) => {
    const [organization, { items }] = await Promise.all([
      client.organizations.getOrganization(organizationId, options),
      client.organizations.listOrganizationApiTokens(organizationId, {}, options),
    ])
    return { organization, token: items.find((one) => one.id === id) }
  })
  return (
    <ShowLoaded loaded={loaded}>
      {({ organization, token }) => (
        <CredentialPage
          heading={token?.name ?? t('tokenNumber', { id: String(id) })}
          parent={{
            address: toAddress('organizations', [organizationId], { tab: 'api-tokens' }),
            label: organization.name,
          }}
          kind={t('organizationToken')}
          facts={
            token
              ? [
                  {
                    label: t('allowed'),
                    value: formatList(token.permissions.map(describeOrganizationPermission)),
                  },
                  {
                    label: t('createdBy'),
                    value: (
                      <a href={toAddress('users', [token.created_by])}>
                        {t('userNumber', { id: String(token.created_by) })}
                      </a>
                    ),
                  },
                  { label: t('created'), value: formatMoment(token.created_at) },
                  { label: t('lastUsed'), value: formatMoment(token.last_used_at) },
                  { label: t('expires'), value: formatMoment(token.expires) },
                ]
              : []
          }
          usedNetworks={token?.used_networks}
          filter={{ credential: 'organization_token', credential_id: String(id) }}
          end={
            token && {
              action: access('revoke'),
              question: access('revokeHeading', { name: token.name }),
              text: access('revokeText'),
              run: () => client.organizations.deleteOrganizationApiToken(organizationId, id),
              done: access('tokenRevoked'),
            }
          }
        />
      )}
    </ShowLoaded>
  )
}
