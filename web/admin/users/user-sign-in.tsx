import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CompanyAccount, ConnectedApp, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import type { GetUserSignInWaysQuery } from '../../../lib/client/generated/operations.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import {
  describeRememberedDevice,
  describeSession,
  describeSessionDevice,
} from '../../session-kit/session-text.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { formatMoment } from '../kit/moment.ts'
import { Panel, Tag } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { showToast } from '../kit/toast.tsx'
import { ConnectAccount } from './connect-account.tsx'
import { RemoveWayDialog } from './remove-way.tsx'

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

interface RemovableListProps<Item> {
  readonly heading: string
  readonly load: (options: { readonly signal: AbortSignal }) => Promise<{ readonly items: readonly Item[] }>
  readonly empty: string
  readonly nameOf: (item: Item) => string
  readonly noteOf: (item: Item) => string
  /** The page of an item, which shows what was done with it to those who may see that. */
  readonly addressOf?: (item: Item) => string
  /** The label of the button at each item. */
  readonly action: string
  /** The question before an item is removed, and what will happen. */
  readonly question: string
  readonly explain: (item: Item) => string
  readonly remove: (item: Item) => Promise<void>
  /** What to say afterwards. */
  readonly done: string
  /** Says before what is left to sign in with, for what signs a user in. */
  readonly leaves?: {
    readonly user: ServiceUserDetail
    readonly without: (item: Item) => GetUserSignInWaysQuery
  }
  /** Marks an item that is not removed here. */
  readonly tagOf?: (item: Item) => string | false
  /** Removes all items at once. */
  readonly all?: Removal
  /** Adds an item. */
  readonly add?: (reload: () => void) => ComponentChildren
}

interface Removal {
  readonly action: string
  readonly text: string
  readonly remove: () => Promise<void>
  readonly done: string
}

interface Asked extends Removal {
  readonly question: string
  readonly leaves?: { readonly user: ServiceUserDetail; readonly without: GetUserSignInWaysQuery }
}

/** A panel that lists what a user signs in with, and removes it after a question. */
const RemovableList = <Item extends { readonly id: number | string }>(props: RemovableListProps<Item>) => {
  const { heading, load, empty, nameOf, noteOf, tagOf, addressOf, action, all, add, leaves } = props
  const { can } = useCurrentUser()
  const loaded = useLoaded(load)
  const [asked, setAsked] = useState<Asked | undefined>()
  if (loaded.failure?.status === 403) return null
  const ask = (item: Item): void =>
    setAsked({
      action,
      question: props.question,
      done: props.done,
      text: props.explain(item),
      remove: () => props.remove(item),
      ...(leaves ? { leaves: { user: leaves.user, without: leaves.without(item) } } : {}),
    })
  const finish = (): void => {
    if (asked) showToast(asked.done)
    void loaded.reload()
  }
  return (
    <Panel heading={heading}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{empty}</p>
          ) : (
            <>
              <ul class="items">
                {items.map((item) => {
                  const tag = tagOf?.(item)
                  return (
                    <li key={item.id}>
                      <div>
                        {addressOf && can('system:admin-access') ? (
                          <a href={addressOf(item)}>{nameOf(item)}</a>
                        ) : (
                          nameOf(item)
                        )}{' '}
                        {tag && <Tag>{tag}</Tag>}
                        <div class="note">{noteOf(item)}</div>
                      </div>
                      {!tag && (
                        <Button look="secondary" onClick={() => ask(item)}>
                          {action}
                          <span class="for-screen-readers"> {nameOf(item)}</span>
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ul>
              {all && (
                <Button look="danger" onClick={() => setAsked({ ...all, question: all.action })}>
                  {all.action}
                </Button>
              )}
            </>
          )
        }
      </ShowLoaded>
      {add?.(() => void loaded.reload())}
      {asked?.leaves && (
        <RemoveWayDialog
          {...asked.leaves}
          heading={asked.question}
          action={asked.action}
          text={asked.text}
          remove={asked.remove}
          onDone={finish}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked && !asked.leaves && (
        <ConfirmDialog
          heading={asked.question}
          action={asked.action}
          onConfirm={async () => {
            await asked.remove()
            finish()
            return undefined
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Says when something signed a user in for the last time. */
const describeLastUse = (time: string | null): string => t('lastUsed', { time: formatMoment(time) })
