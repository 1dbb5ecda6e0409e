import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { describePlace, describeSessionDevice } from '../../session-kit/session-text.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { CredentialPage } from '../credentials/credential-page.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('credentials')
const users = messagesOf('users')
const sessionText = messagesOf('session')

interface SessionPageProps {
  /** The IDs of the user and of the session. */
  readonly userId: number
  readonly id: number
}

/** One session of a user. What was done with it stays in the audit log when it has ended. */
export const SessionPage = ({ userId, id }: SessionPageProps) => {
  const loaded = useLoaded(async (options) => {
    const [user, { items }] = await Promise.all([
      client.users.getUser(userId, {}, options),
      client.sessions.listUserSessions(userId, { ordering: '-created_at' }, options),
    ])
    return { user, session: items.find((one) => one.id === id) }
  })
  return (
    <ShowLoaded loaded={loaded}>
      {({ user, session }) => (
        <CredentialPage
          heading={t('sessionOf', { name: user.display_name })}
          parent={{ address: toAddress('users', [userId], { tab: 'sign-in' }), label: user.display_name }}
          kind={t('session')}
          facts={
            session
              ? [
                  { label: t('device'), value: describeSessionDevice(session) },
                  { label: t('place'), value: describePlace(session) },
                  { label: t('signedIn'), value: formatMoment(session.created_at) },
                  { label: t('lastUsed'), value: formatMoment(session.last_seen) },
                  { label: t('expires'), value: formatMoment(session.expires) },
                ]
              : []
          }
          filter={{ credential: 'session', credential_id: String(id), actor: String(userId) }}
          end={
            session && {
              action: sessionText('endSession'),
              question: users('endSession'),
              text: users('endSessionText', {
                name: user.display_name,
                device: describeSessionDevice(session),
              }),
              run: () => client.sessions.endUserSession(userId, id),
              done: sessionText('sessionEnded'),
            }
          }
        />
      )}
    </ShowLoaded>
  )
}
