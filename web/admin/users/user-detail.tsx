import type { ServiceUserDetail, UserInvitationState } from '../../../lib/client/generated/models.ts'
import { formatDate, formatDateTime } from '../../kit/format.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { EventsLink } from '../kit/events-link.tsx'
import { Initials } from '../kit/initials.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { Facts, Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { UserOrganizations } from '../organizations/user-organizations.tsx'
import { SignInWait } from './sign-in-wait.tsx'
import { UserActions } from './user-actions.tsx'
import { EffectivePermissions, LastSignIns } from './user-activity.tsx'
import { UserAttributes } from './user-attributes.tsx'
import { UserForm } from './user-form.tsx'
import { UserState } from './user-list.tsx'
import { UserAccounts, UserApps, UserDevices, UserPasskeys, UserSessions } from './user-sign-in.tsx'

const UserTimeline = loadChunk(async () => (await import('./user-timeline.tsx')).UserTimeline)

const consoleText = messagesOf('console')
const people = messagesOf('people')
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
          parent={{ address: toAddress('users'), label: consoleText('users') }}
          picture={<Initials name={user.display_name} />}
          actions={
            <>
              <UserState user={user} />
              <EventsLink of={{ user: user.id }} />
              {can('users:manage') && (
                <UserActions user={user} isOwn={user.id === profile.id} onChange={loaded.reload} />
              )}
            </>
          }
        >
          <SignInWait user={user} />
          <Tabs
            label={user.display_name}
            tabs={[
              { name: 'profile', label: t('profile') },
              { name: 'permissions', label: people('permissions') },
              ...(can('users:manage') || can('system:admin-access')
                ? [{ name: 'sign-in', label: t('signIn') }]
                : []),
              ...(can('system:admin-access') ? [{ name: 'activity', label: consoleText('activity') }] : []),
            ]}
          >
            <TabPanel name="profile">
              <Overview user={user} />
            </TabPanel>
            <TabPanel name="permissions">
              <EffectivePermissions user={user} />
            </TabPanel>
            <UserForm user={user} onSave={loaded.setValue} />
            <TabPanel name="profile">
              <UserAttributes user={user} onSave={loaded.setValue} />
              {can('organizations:view') && <UserOrganizations user={user} />}
            </TabPanel>
            <TabPanel name="sign-in">
              <div class="halves">
                {can('system:admin-access') && <LastSignIns user={user} />}
                {can('users:manage') && (
                  <>
                    <UserSessions user={user} />
                    <UserDevices user={user} />
                    <UserPasskeys user={user} />
                    <UserAccounts user={user} />
                    <UserApps user={user} />
                  </>
                )}
              </div>
            </TabPanel>
            {can('system:admin-access') && (
              <TabPanel name="activity">
                <UserTimeline user={user} />
              </TabPanel>
            )}
          </Tabs>
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

const Overview = ({ user }: { readonly user: ServiceUserDetail }) => (
  <Panel heading={t('overview')}>
    <Facts
      facts={[
        { label: t('number'), value: String(user.id) },
        ...(user.external_id
          ? [{ label: t('importedFrom'), value: `${user.external_id.source}: ${user.external_id.id}` }]
          : []),
        ...(user.created_at ? [{ label: t('createdAt'), value: formatDate(user.created_at) }] : []),
        { label: t('emailState'), value: describeEmail(user) },
        ...(user.invitation ? [{ label: t('invitation'), value: describeInvitation(user.invitation) }] : []),
        { label: t('password'), value: describePassword(user) },
        ...describeTerms(user),
        ...describeDeletion(user),
        { label: t('secondFactor'), value: user.totp_enabled ? t('on') : t('off') },
        {
          label: t('lastSeen'),
          value: formatMoment(user.last_seen),
        },
      ]}
    />
  </Panel>
)

const describePassword = (user: ServiceUserDetail): string => {
  if (user.has_legacy_password) return t('atOldSystem')
  return user.has_password ? t('set') : t('notSet')
}

const describeTerms = ({ accepted_terms: terms }: ServiceUserDetail) =>
  terms
    ? [
        {
          label: t('terms'),
          value: t('termsAccepted', { version: terms.version, time: formatDateTime(terms.accepted_at) }),
        },
      ]
    : []

const describeDeletion = ({ deletion }: ServiceUserDetail) => {
  if (!deletion) return []
  const { requested_at: requested, due_at: due } = deletion
  const value =
    due === null
      ? t('deletionRequested', { date: formatDate(requested) })
      : t('deletionPlanned', { date: formatDate(due) })
  return [{ label: t('deletion'), value }]
}

const describeInvitation = (invitation: UserInvitationState): string => {
  const { state, sent_at: sent, expires_at: end } = invitation
  if (state === 'accepted') return t('invitationAccepted')
  if (state === 'expired') return t('invitationExpired', { time: formatDateTime(end) })
  return sent === null
    ? t('invitationUnsent', { end: formatDateTime(end) })
    : t('invitationPending', { time: formatDateTime(sent), end: formatDateTime(end) })
}

const describeEmail = ({ email, email_verified: isVerified }: ServiceUserDetail): string => {
  if (!email) return t('noEmail')
  return isVerified ? t('trusted') : t('unconfirmed')
}
