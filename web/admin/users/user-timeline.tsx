import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { EventHistory } from '../audit/event-history.tsx'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('console')

/** What happened to an account. */
export const UserTimeline = ({ user: { id } }: { readonly user: ServiceUserDetail }) => (
  <Panel heading={t('activity')}>
    <EventHistory filter={{ user: String(id) }} />
  </Panel>
)
