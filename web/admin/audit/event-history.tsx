import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { Loading } from '../kit/load-state.tsx'
import { type Query, toAddress } from '../kit/route.ts'
import { readFilter, toQuery } from './audit-filter.ts'
import { nameActor } from './event-actor.ts'
import { EventSentence } from './event-sentence.tsx'
import { describeDevice, Outcome } from './event-text.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('audit')

interface EventHistoryProps {
  /** The filters of the audit log, as its address has them. */
  readonly filter: Query
}

/** What happened to something, the latest first: sentences with the time, the place and who did it. */
export const EventHistory = ({ filter }: EventHistoryProps) => {
  const address = toAddress('audit-events', [], filter)
  const { items, isLoading, hasMore, failure, loadMore, reload } = useList(
    (page, options) => client.audit.listAuditEvents({ ...page, ...readQuery(address) }, options),
    address,
  )
  return (
    <>
      {items.length > 0 && (
        <ol class="items timeline">
          {items.map((event) => {
            const { id: key, actor, user, ip, user_agent: agent } = event
            const by = actor !== user ? nameActor(event) : undefined
            return (
              <li key={key}>
                <div>
                  <EventSentence event={event} />
                  <div class="note">
                    <time dateTime={event.created_at}>{formatDateTime(event.created_at)}</time>
                    {ip && ' · '}
                    {ip &&
                      (agent
                        ? t('fromWith', { ip, device: describeDevice(agent) })
                        : t('fromAddress', { ip }))}
                    {by !== undefined && ` · ${t('byPerson', { name: by })}`}
                  </div>
                </div>
                {event.outcome !== 'succeeded' && (
                  <div>
                    <Outcome event={event} />
                  </div>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {isLoading && items.length === 0 && <Loading />}
      {!isLoading && !failure && items.length === 0 && <p>{t('nothingHappened')}</p>}
      <LoadFailure failure={failure} onRetry={items.length > 0 ? loadMore : reload} />
      <div class="row">
        {hasMore && !failure && (
          <Button look="secondary" isRunning={isLoading} onClick={loadMore}>
            {consoleText('showMore')}
          </Button>
        )}
        <a class="button secondary" href={address}>
          {t('openInLog')}
        </a>
      </div>
    </>
  )
}

const readQuery = (address: string) =>
  toQuery(readFilter(new URLSearchParams(address.slice(address.indexOf('?')))))
