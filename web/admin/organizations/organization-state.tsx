import type { Organization } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Tag } from '../kit/panel.tsx'

const t = messagesOf('organizations')

interface OrganizationStateProps {
  readonly organization: Pick<Organization, 'state' | 'is_ownerless'>
}

/** Whether an organization is active, and whether it lacks an owner. */
export const OrganizationState = ({
  organization: { state, is_ownerless: isOwnerless },
}: OrganizationStateProps) => (
  <span class="row">
    <Tag kind={state === 'active' ? 'good' : 'bad'}>{t(state)}</Tag>
    {isOwnerless && <Tag kind="warning">{t('ownerless')}</Tag>}
  </span>
)
