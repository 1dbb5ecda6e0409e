import { messagesOf } from '../kit/messages.ts'
import { listTokenPermissions } from '../session-kit/organization-permissions.ts'
import { OrganizationTokens } from '../session-kit/organization-tokens.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationAccess')

/** The API tokens of the organization. */
export const TokenSection = () => {
  const { organization, declaredRoles, can, isOwn } = useOrganization()
  // Owners may give what any role has, and the others what they have.
  const isOwner = organization.roles.includes('owner')
  return (
    <section class="panel" aria-label={t('apiTokens')}>
      <OrganizationTokens
        organization={organization}
        permissions={listTokenPermissions(declaredRoles).filter((name) => isOwner || can(name))}
        canManage={isOwn}
      />
    </section>
  )
}
