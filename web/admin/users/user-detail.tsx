import type { ServiceUserDetail, UserInvitationState } from '../../../lib/client/generated/models.ts'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { UserAccounts } from './user-accounts.tsx'
import { UserActions } from './user-actions.tsx'
import { UserForm } from './user-form.tsx'
import { UserPasskeys } from './user-passkeys.tsx'
import { UserState } from './user-state.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')

/** One user: what is known, what can be edited, and what can be done. */
export const UserDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.users.getUser(id, {}, options))
  const { can, profile } = useCurrentUser()
  return (
    <ShowLoaded loaded={loaded}>
      {(user) => (
        <SectionPage
          heading={user.display_name}
          parent={{ address: toAddress('users'), label: t('heading') }}
          actions={<UserState user={user} />}
        >
          <div class="split">
            <Overview user={user} />
            <UserForm user={user} onSave={loaded.setValue} />
            {can('users:manage') && (
              <div class="stack">
                <UserPasskeys user={user} />
                <UserAccounts user={user} />
                <UserActions user={user} isOwn={user.id === profile.id} onChange={loaded.reload} />
              </div>
            )}
          </div>
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

const Overview = ({ user }: { readonly user: ServiceUserDetail }) => (
  <Panel heading={t('overview')}>
    <Facts
      facts={[
        { label: t('number'), value: formatNumber(user.id) },
        { label: t('emailState'), value: describeEmail(user) },
        ...(user.invitation ? [{ label: t('invitation'), value: describeInvitation(user.invitation) }] : []),
        { label: t('password'), value: user.has_password ? t('set') : t('notSet') },
        { label: t('secondFactor'), value: user.totp_enabled ? t('on') : t('off') },
        {
          label: t('lastSeen'),
          value: user.last_seen ? formatDateTime(user.last_seen) : consoleText('never'),
        },
      ]}
    />
  </Panel>
)

const describeInvitation = (invitation: UserInvitationState): string => {
  const { state, sent_at: sent, expires_at: end } = invitation
  if (state === 'accepted') return t('invitationAccepted')
  return state === 'pending'
    ? t('invitationPending', { time: formatDateTime(sent), end: formatDateTime(end) })
    : t('invitationExpired', { time: formatDateTime(end) })
}

const describeEmail = ({ email, email_verified: isVerified }: ServiceUserDetail): string => {
  if (!email) return t('noEmail')
  return isVerified ? t('confirmed') : t('unconfirmed')
}
