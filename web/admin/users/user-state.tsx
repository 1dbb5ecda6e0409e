import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Tag } from '../kit/panel.tsx'

const t = messagesOf('users')

/** Whether a user can sign in. */
export const UserState = ({ user }: { readonly user: ServiceUserDetail }) => {
  if (!user.is_enabled) return <Tag kind="warning">{t('disabled')}</Tag>
  if (user.expiry !== null && Date.parse(user.expiry) <= Date.now())
    return <Tag kind="warning">{t('expired')}</Tag>
  if (user.invitation?.state === 'pending') return <Tag>{t('invited')}</Tag>
  if (user.invitation?.state === 'expired') return <Tag kind="warning">{t('invitationHasExpired')}</Tag>
  return <Tag kind="good">{t('enabled')}</Tag>
}
