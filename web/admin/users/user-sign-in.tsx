import type { CompanyAccount, ConnectedApp, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import {
  describeRememberedDevice,
  describeSession,
  describeSessionDevice,
} from '../../session-kit/session-text.ts'
import { formatMoment } from '../kit/moment.ts'
import { toAddress } from '../kit/route.ts'
import { ConnectAccount } from './connect-account.tsx'
import { RemovableList } from './removable-list.tsx'

const people = messagesOf('people')
const sessionText = messagesOf('session')
const t = messagesOf('users')

/** The accounts at identity providers that sign a user in. */
export const UserAccounts = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('accounts')}
    load={(options) => client.users.listUserCompanyAccounts(user.id, {}, options)}
    empty={t('noAccounts')}
    nameOf={({ provider }) => provider.name}
    noteOf={describeAccount}
    action={t('unlink')}
    question={t('unlinkAccount')}
    explain={({ provider }) => t('unlinkText', { name: user.display_name, provider: provider.name })}
    remove={({ id }) => client.users.unlinkUserCompanyAccount(user.id, id)}
    leaves={{ user, without: ({ id }) => ({ without_account: id }) }}
    done={t('unlinked')}
    add={(reload) => <ConnectAccount user={user} onConnect={reload} />}
  />
)

const describeAccount = ({ name, provider, from_directory: isManaged, last_used_at: time }: CompanyAccount) =>
  [name, isManaged && t('byDirectory', { name: provider.name }), describeLastUse(time)]
    .filter(Boolean)
    .join(' · ')

/** Where a user is signed in, to end what they do not know. Those of someone with more rights are not shown. */
export const UserSessions = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('sessions')}
    load={(options) => client.sessions.listUserSessions(user.id, { ordering: '-created_at' }, options)}
    empty={t('noSessions')}
    nameOf={describeSessionDevice}
    addressOf={({ id }) => toAddress('users', [user.id, 'sessions', id])}
    noteOf={describeSession}
    tagOf={(session) => session.is_current && sessionText('thisSession')}
    action={sessionText('endSession')}
    question={t('endSession')}
    explain={(session) =>
      t('endSessionText', { name: user.display_name, device: describeSessionDevice(session) })
    }
    remove={({ id }) => client.sessions.endUserSession(user.id, id)}
    done={sessionText('sessionEnded')}
    all={{
      action: t('endSessions'),
      text: t('endSessionsText', { name: user.display_name }),
      remove: () => client.sessions.endUserSessions(user.id),
      done: t('sessionsEnded'),
    }}
  />
)

/** The browsers where a user needs no second factor, to end what they do not know. */
export const UserDevices = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('devices')}
    load={(options) => client.sessions.listRememberedDevices(user.id, { ordering: '-created_at' }, options)}
    empty={t('noDevices')}
    nameOf={describeSessionDevice}
    noteOf={describeRememberedDevice}
    action={sessionText('endSession')}
    question={t('endDevice')}
    explain={(device) =>
      t('endDeviceText', { name: user.display_name, device: describeSessionDevice(device) })
    }
    remove={({ id }) => client.sessions.endRememberedDevice(user.id, id)}
    done={sessionText('deviceEnded')}
  />
)

/** The apps that know about a user from sign-ins, to end what one of them may learn. */
export const UserApps = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('apps')}
    load={(options) => client.users.listUserApps(user.id, { ordering: '-connected_at' }, options)}
    empty={t('noApps')}
    nameOf={({ name }) => name}
    noteOf={describeApp}
    action={t('endApp')}
    question={t('endAppHeading')}
    explain={({ name }) => t('endAppText', { app: name, name: user.display_name })}
    remove={({ id }) => client.users.endUserApp(user.id, id)}
    done={t('appEnded')}
  />
)

const describeApp = ({ scopes, connected_at: since, last_used_at: used }: ConnectedApp): string =>
  `${t('appNote', { scopes: scopes.join(', '), date: formatDateTime(since) })} ${describeLastUse(used)}`

/** The passkeys of a user, for one that was lost. */
export const UserPasskeys = ({ user }: { readonly user: ServiceUserDetail }) => (
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
    leaves={{ user, without: ({ id }) => ({ without_passkey: id }) }}
    done={t('passkeyRemoved')}
  />
)

/** Says when something signed a user in for the last time. */
const describeLastUse = (time: string | null): string => t('lastUsed', { time: formatMoment(time) })
