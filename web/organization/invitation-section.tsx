import { messagesOf } from '../kit/messages.ts'
import { OrganizationInvitations } from '../session-kit/organization-invitations.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organization')

/** Who is invited, and did not accept yet. */
export const InvitationSection = () => {
  const { organization, declaredRoles, isOwn } = useOrganization()
  return (
    <section class="panel" aria-label={t('invitations')}>
      <OrganizationInvitations organization={organization} declaredRoles={declaredRoles} canManage={isOwn} />
    </section>
  )
}
