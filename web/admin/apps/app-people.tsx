import type { ConnectedApp, OIDCClient } from '../../../lib/client/generated/models.ts'
import { isLatchkeyError } from '../../../lib/client/latchkey-error.ts'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { toAddress } from '../kit/route.ts'
import { RemovableList } from '../users/removable-list.tsx'

const users = messagesOf('users')
const t = messagesOf('apps')

/** How many events and people are read for the list. The audit log has more. */
const latestEvents = 100
const mostPeople = 20

interface Person {
  readonly id: number
  readonly name: string
  readonly access: ConnectedApp
}

type ReadOptions = { readonly signal: AbortSignal }

/** The people who signed in at an app lately and whom it may still act for, the latest first. */
const listPeople = async ({ id }: OIDCClient, options: ReadOptions): Promise<readonly Person[]> => {
  const { items } = await client.audit.listAuditEvents(
    { event: 'oidc_client.authorized', target: String(id), failed: false, limit: latestEvents },
    options,
  )
  const names = new Map(
    items.flatMap(({ user, user_name: name }) => (user === null ? [] : [[user, name ?? String(user)]])),
  )
  const people = await Promise.all(
    [...names].slice(0, mostPeople).map(async ([person, name]) => {
      const access = await findAccess(person, id, options)
      return access ? [{ id: person, name, access }] : []
    }),
  )
  return people.flat()
}

/** Undefined if the access has ended, or the account has. */
const findAccess = async (
  person: number,
  id: number,
  options: ReadOptions,
): Promise<ConnectedApp | undefined> => {
  try {
    const { items } = await client.users.listUserApps(person, { limit: latestEvents }, options)
    return items.find((app) => app.id === id)
  } catch (error) {
    if (isLatchkeyError(error) && error.status === 404) return undefined
    throw error
  }
}

/** Who uses an app, since when, and when it was last used: to end it for one of them. */
export const AppPeople = ({ app }: { readonly app: OIDCClient }) => (
  <RemovableList
    heading={t('people')}
    load={async (options) => ({ items: await listPeople(app, options) })}
    empty={t('noPeople')}
    nameOf={({ name }) => name}
    addressOf={({ id }) => toAddress('users', [id])}
    noteOf={({ access: { connected_at: since, last_used_at: used } }) =>
      t('usedSince', { since: formatDateTime(since), used: formatDateTime(used) })
    }
    action={users('endApp')}
    question={users('endAppHeading')}
    explain={({ name }) => users('endAppText', { app: app.name, name })}
    remove={({ id }) => client.users.endUserApp(id, app.id)}
    done={users('appEnded')}
  />
)
