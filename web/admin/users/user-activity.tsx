import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { describeEvent, Origin, Outcome } from '../audit/event-text.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { describePermissions } from '../people/permissions.ts'

const t = messagesOf('users')

const shownSignIns = 5

/** The last sign-ins of a user from the audit log, which the service reads from the index of the user. */
export const LastSignIns = ({ user }: { readonly user: ServiceUserDetail }) => {
  const loaded = useLoaded(
    (options) =>
      client.audit.listAuditEvents(
        { user: user.id, event: 'login.succeeded,login.failed', limit: shownSignIns },
        options,
      ),
    String(user.id),
  )
  if (loaded.failure?.status === 403) return null
  return (
    <Panel heading={t('lastSignIns')}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('noSignIns')}</p>
          ) : (
            <ul class="items">
              {items.map((event) => (
                <li key={event.id}>
                  <div>
                    {describeEvent(event)}
                    <div class="note">
                      <time dateTime={event.created_at}>{formatDateTime(event.created_at)}</time>
                    </div>
                    <Origin event={event} />
                  </div>
                  <div>
                    <Outcome event={event} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
    </Panel>
  )
}

/** Groups that are read for their names. A user rarely is in more. */
const groupsRead = 20

/** What a user may do, and who gave them that: an administrator, or which of their groups. */
export const EffectivePermissions = ({ user }: { readonly user: ServiceUserDetail }) => {
  const { permissions, group_permissions: fromGroups, effective_permissions: effective } = user
  const ids = fromGroups.length > 0 ? user.groups.slice(0, groupsRead) : []
  const loaded = useLoaded(
    (options) =>
      Promise.all(ids.map((id) => client.groups.getGroup(id, { include_members: false }, options))),
    [...ids, ...effective].join(),
  )
  if (loaded.failure?.status === 403) return null
  return (
    <Panel heading={t('mayDo')}>
      <ShowLoaded loaded={loaded}>
        {(groups) =>
          effective.length === 0 ? (
            <p>{t('mayDoNothing')}</p>
          ) : (
            <ul class="items">
              {effective.map((permission) => (
                <li key={permission}>
                  <div>
                    {describePermissions([permission])}
                    {permissions.includes(permission) && <div class="note">{t('givenDirectly')}</div>}
                    {fromGroups.includes(permission) &&
                      groups
                        .filter((group) => group.permissions.includes(permission))
                        .map(({ id, name }) => (
                          <div key={id} class="note">
                            <a href={toAddress('groups', [id])}>{t('fromGroup', { name })}</a>
                          </div>
                        ))}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
    </Panel>
  )
}
