import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { formatList } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { LeaveDialog } from '../session-kit/leave-organization.tsx'
import { describeOrganizationPermission } from '../session-kit/organization-permissions.ts'
import { describeRoles, listRoles } from '../session-kit/organization-roles.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationPage')
const shared = messagesOf('organization')

/** What the roles allow, and which of them the person has. */
export const RoleSection = () => {
  const { organization, declaredRoles, isOwn, reload } = useOrganization()
  const [isLeaving, setLeaving] = useState(false)
  const permissionsOf = (role: string) => declaredRoles.find(({ key }) => key === role)?.permissions ?? []
  return (
    <>
      <section class="panel" aria-label={t('yourRoles')}>
        <h2>{t('yourRoles')}</h2>
        <p>{describeRoles(declaredRoles, organization.roles)}</p>
        {isOwn && pageData.user?.session === 'full' && (
          <div class="row">
            <Button look="secondary" onClick={() => setLeaving(true)}>
              {shared('leave')}
            </Button>
          </div>
        )}
        {isLeaving && (
          <LeaveDialog
            organization={organization}
            onClose={() => setLeaving(false)}
            onChange={async () => {
              location.hash = '/'
              await reload()
            }}
          />
        )}
      </section>
      <section class="panel" aria-label={t('roles')}>
        <h2>{t('roles')}</h2>
        <p>{t('rolesText')}</p>
        <ul class="items">
          {listRoles(declaredRoles).map(({ key, name, hint }) => {
            const permissions = permissionsOf(key)
            return (
              <li key={key}>
                <div class="item-text">
                  <bdi class="item-name">{name}</bdi>
                  {hint && <span class="note">{hint}</span>}
                  {permissions.length > 0 && (
                    <span class="note">
                      {t('allows', { list: formatList(permissions.map(describeOrganizationPermission)) })}
                    </span>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}
