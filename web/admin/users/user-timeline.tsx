import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { EventSentence } from '../audit/event-sentence.tsx'
import { describeDevice, Outcome } from '../audit/event-text.tsx'
import { Loading } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('audit')

/** What happened to an account, the latest first: sentences with the time, the place and who else did it. */
export const UserTimeline = ({ user: { id } }: { readonly user: ServiceUserDetail }) => {
  const { items, isLoading, hasMore, failure, loadMore, reload } = useList(
    (page, options) => client.audit.listAuditEvents({ ...page, user: id }, options),
    `timeline ${id}`,
  )
  return (
    <Panel heading={consoleText('activity')}>
      {items.length > 0 && (
        <ol class="items timeline">
          {items.map((event) => {
            const { id: key, actor, actor_name: actorName, user, ip, user_agent: agent } = event
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
                    {actor !== null && actor !== user && ' · '}
                    {actor !== null &&
                      actor !== user &&
                      t('byPerson', { name: actorName ?? t('deletedUser') })}
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
      {hasMore && !failure && (
        <div class="row">
          <Button look="secondary" isRunning={isLoading} onClick={loadMore}>
            {consoleText('showMore')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
