import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { formatDate } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { describeRoles, useDeclaredRoles } from '../../session-kit/organization-roles.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel, Tag } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'

const consoleText = messagesOf('console')
const organizationText = messagesOf('organization')
const t = messagesOf('organizations')

/** The organizations of a user, with their roles in each. */
export const UserOrganizations = ({ user }: { readonly user: ServiceUserDetail }) => {
  const loaded = useLoaded((options) => client.organizations.listUserOrganizations(user.id, {}, options))
  const declared = useDeclaredRoles().value ?? []
  return (
    <Panel heading={consoleText('organizations')}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('userNone')}</p>
          ) : (
            <ul class="items">
              {items.map(({ id, name, state, roles, roles_limited: isLimited, joined_at: joined }) => (
                <li key={id}>
                  <div>
                    <a href={toAddress('organizations', [id])}>{name}</a>
                    <div class="note">
                      {isLimited ? organizationText('rolesLimited') : describeRoles(declared, roles)} ·{' '}
                      {organizationText('since', { date: formatDate(joined) })}
                    </div>
                  </div>
                  {state === 'suspended' && <Tag kind="bad">{t('suspended')}</Tag>}
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
    </Panel>
  )
}
