import { messagesOf } from '../kit/messages.ts'
import { listTokenPermissions } from '../session-kit/organization-permissions.ts'
import { OrganizationTokens } from '../session-kit/organization-tokens.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationAccess')

/** The API tokens of the organization. */
export const TokenSection = () => {
  const { organization, declaredRoles, can, isOwn } = useOrganization()
  // Owners may give what any role of members has, and all what they have.
  const isOwner = organization.roles.includes('owner')
  const ofMembers = listTokenPermissions(declaredRoles.filter((role) => role.given_by !== 'service'))
  return (
    <section class="panel" aria-label={t('apiTokens')}>
      <OrganizationTokens
        organization={organization}
        permissions={listTokenPermissions(declaredRoles).filter(
          (name) => can(name) || (isOwner && ofMembers.includes(name)),
        )}
        canManage={isOwn}
      />
    </section>
  )
}
