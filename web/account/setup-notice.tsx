import type { AccountProfile } from '../../lib/contract/page-data.ts'
import { formatDate } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'

const t = messagesOf('account')

interface SetupNoticeProps {
  readonly profile: AccountProfile
}

/** Asks people for a second factor: before they can do anything else, or until a day in the future. */
export const SetupNotice = ({ profile }: SetupNoticeProps) => {
  const { totp_enabled: hasTotp, second_factor_required_from: requiredFrom } = profile
  if (hasTotp) return null
  if (pageData.user?.session === 'setup') return <p class="alert information">{t('setupRequired')}</p>
  if (!requiredFrom) return null
  return <p class="alert information">{t('setupRequiredFrom', { date: formatDate(requiredFrom) })}</p>
}
