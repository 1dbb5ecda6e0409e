import { messagesOf } from '../kit/messages.ts'
import { OrganizationMembers } from '../session-kit/organization-members.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organization')

/** The members, with their roles. */
export const MemberSection = () => {
  const { organization, declaredRoles, can, reload } = useOrganization()
  return (
    <section class="panel" aria-label={t('members')}>
      <OrganizationMembers
        organization={organization}
        declaredRoles={declaredRoles}
        canManage={can('org:members:manage')}
        // The person may have changed their own roles.
        onChange={() => void reload()}
      />
    </section>
  )
}
