import { useState } from 'preact/hooks'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useCurrentUser } from './current-user.ts'
import type { Query } from './route.ts'

const t = messagesOf('console')

const EventHistory = loadChunk(async () => (await import('../audit/event-history.tsx')).EventHistory)

/**
 * What the audit log has about the object of a page, for those who may see it. It is loaded when a person opens it. `of` are the filters
 * of the audit log.
 */
export const History = ({ of }: { readonly of: Query }) => {
  const { can } = useCurrentUser()
  const [isOpen, setOpen] = useState(false)
  if (!can('system:admin-access')) return null
  return (
    <details
      class="panel history"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('history')}</summary>
      {isOpen && (
        <div class="panel-body">
          <EventHistory filter={of} />
        </div>
      )}
    </details>
  )
}
