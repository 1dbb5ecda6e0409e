import { useState } from 'preact/hooks'
import type {
  SAMLAccount,
  ServiceUserDetail,
  UserInvitationState,
} from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel, Tag } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { UserActions } from './user-actions.tsx'
import { EffectivePermissions, LastSignIns } from './user-activity.tsx'
import { UserForm } from './user-form.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')
const people = messagesOf('people')

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
          actions={
            <>
              <UserState user={user} />
              <EventsLink of={{ user: user.id }} />
            </>
          }
        >
          <div class="split">
            <Overview user={user} />
            <UserForm user={user} onSave={loaded.setValue} />
            <div class="stack">
              {can('system:admin-access') && <LastSignIns user={user} />}
              <EffectivePermissions user={user} />
              {can('users:manage') && (
                <>
                  <UserPasskeys user={user} />
                  <UserAccounts user={user} />
                  <UserActions user={user} isOwn={user.id === profile.id} onChange={loaded.reload} />
                </>
              )}
            </div>
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
        { label: t('number'), value: String(user.id) },
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
  if (state === 'expired') return t('invitationExpired', { time: formatDateTime(end) })
  return sent === null
    ? t('invitationUnsent', { end: formatDateTime(end) })
    : t('invitationPending', { time: formatDateTime(sent), end: formatDateTime(end) })
}

const describeEmail = ({ email, email_verified: isVerified }: ServiceUserDetail): string => {
  if (!email) return t('noEmail')
  return isVerified ? t('trusted') : t('unconfirmed')
}

/** Whether a user can sign in. */
export const UserState = ({ user }: { readonly user: ServiceUserDetail }) => {
  if (!user.is_enabled) return <Tag kind="warning">{t('disabled')}</Tag>
  if (user.expiry !== null && Date.parse(user.expiry) <= Date.now())
    return <Tag kind="bad">{t('expired')}</Tag>
  if (user.invitation?.state === 'pending') return <Tag>{t('invited')}</Tag>
  if (user.invitation?.state === 'expired') return <Tag kind="warning">{t('invitationHasExpired')}</Tag>
  return <Tag kind="good">{t('enabled')}</Tag>
}

/** The accounts at identity providers that sign a user in. */
const UserAccounts = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('accounts')}
    load={(options) => client.users.listUserSamlAccounts(user.id, {}, options)}
    empty={t('noAccounts')}
    nameOf={({ provider }) => provider.name}
    noteOf={describeAccount}
    action={t('unlink')}
    question={t('unlinkAccount')}
    explain={({ provider }) => t('unlinkText', { name: user.display_name, provider: provider.name })}
    remove={({ id }) => client.users.unlinkUserSamlAccount(user.id, id)}
    done={t('unlinked')}
  />
)

const describeAccount = ({ name, last_used_at: time }: SAMLAccount): string =>
  name === null ? describeLastUse(time) : `${name} · ${describeLastUse(time)}`

/** The passkeys of a user, for one that was lost. */
const UserPasskeys = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('passkeys')}
    load={(options) => client.passkeys.listUserPasskeys(user.id, {}, options)}
    empty={t('noPasskeys')}
    nameOf={({ name }) => name}
    noteOf={({ last_used_at: time }) => describeLastUse(time)}
    action={people('remove')}
    question={t('removePasskey')}
    explain={({ name }) => t('removePasskeyText', { name: user.display_name, passkey: name })}
    remove={({ id }) => client.passkeys.deleteUserPasskey(user.id, id)}
    done={t('passkeyRemoved')}
  />
)

interface RemovableListProps<Item> {
  readonly heading: string
  readonly load: (options: { readonly signal: AbortSignal }) => Promise<{ readonly items: readonly Item[] }>
  readonly empty: string
  readonly nameOf: (item: Item) => string
  readonly noteOf: (item: Item) => string
  /** The label of the button at each item. */
  readonly action: string
  /** The question before an item is removed, and what will happen. */
  readonly question: string
  readonly explain: (item: Item) => string
  readonly remove: (item: Item) => Promise<void>
  /** What to say afterwards. */
  readonly done: string
}

/** A panel that lists what a user signs in with, and removes it after a question. */
const RemovableList = <Item extends { readonly id: number | string }>(props: RemovableListProps<Item>) => {
  const { heading, load, empty, nameOf, noteOf, action, question, explain, remove, done } = props
  const loaded = useLoaded(load)
  const [removed, setRemoved] = useState<Item | undefined>()
  return (
    <Panel heading={heading}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{empty}</p>
          ) : (
            <ul class="items">
              {items.map((item) => (
                <li key={item.id}>
                  <div>
                    {nameOf(item)}
                    <div class="note">{noteOf(item)}</div>
                  </div>
                  <Button look="secondary" onClick={() => setRemoved(item)}>
                    {action}
                    <span class="for-screen-readers"> {nameOf(item)}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
      {removed && (
        <ConfirmDialog
          heading={question}
          action={action}
          onConfirm={async () => {
            await remove(removed)
            showToast(done)
            void loaded.reload()
            return undefined
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{explain(removed)}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Says when something signed a user in for the last time. */
const describeLastUse = (time: string | null): string =>
  t('lastUsed', { time: time === null ? consoleText('never') : formatDateTime(time) })
