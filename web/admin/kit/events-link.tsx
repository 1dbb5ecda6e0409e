import { messagesOf } from '../../kit/messages.ts'
import { useCurrentUser } from './current-user.ts'
import { toAddress } from './route.ts'

const t = messagesOf('console')

interface EventsLinkProps {
  /** A user by `user`, or another object by `object`, such as `group:12`, with its name. */
  readonly of: { readonly user: number } | { readonly object: string; readonly name: string }
}

/** Leads to what the audit log has about the object of a page, for those who may see it. */
export const EventsLink = ({ of }: EventsLinkProps) => {
  const { can } = useCurrentUser()
  if (!can('system:admin-access')) return null
  const query = 'user' in of ? { user: String(of.user) } : of
  return (
    <a class="button secondary" href={toAddress('audit-events', [], query)}>
      {t('events')}
    </a>
  )
}
