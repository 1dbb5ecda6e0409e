import {
  hasSwitchesAsRead,
  type SessionRecord,
  sessionCodec,
} from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { clientsPerSession } from '../../kernel/limits/limits.ts'
import { isPresent, type Update } from '../../kernel/table/expressions.ts'
import { sessionKey, userKey } from '../../kernel/table/keys/keys.ts'
import { findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'

export interface ClientSession {
  readonly session: SessionRecord
  /** The user of the session, who is the administrator while the session impersonates somebody. */
  readonly owner: UserRecord
}

/**
 * Remembers that a session is about to give tokens to a client, so that the client learns when the session ends. Call this
 * before the first token is issued, and check after it that the session still exists. Costs one write for each client of a
 * session, and one more for the first client of a user.
 *
 * Returns `ended` if the session has ended, and `full` if it has `clientsPerSession` clients.
 */
export const noteSessionClient = async (
  table: Table,
  { session, owner }: ClientSession,
  client: SessionClient,
): Promise<'noted' | 'ended' | 'full'> => {
  const text = formatSessionClient(client)
  if (owner.hasClientSessions && session.clients?.has(text) && session.clientAccess) return 'noted'
  const key = sessionKey(session.userId, session.hash)
  const changes = buildClientUpdate(session, text)
  const writing = owner.hasClientSessions
    ? table.update(key, changes)
    : table.transact([
        { update: key, changes },
        { update: userKey(owner.id), changes: buildOwnerUpdate(owner) },
      ])
  if (await wasCommitted(writing)) return 'noted'
  const current = await findRecord(table, sessionCodec, key)
  const isFull = (current?.clients?.size ?? 0) >= clientsPerSession
  const isSame = current?.credentialEpoch === session.credentialEpoch && current.switches === session.switches
  return isFull && isSame ? 'full' : 'ended'
}

const buildClientUpdate =
  (session: SessionRecord, text: string): Update =>
  (x) => {
    const clients = x.path('clients')
    const hasSpace = [
      `attribute_not_exists(${clients})`,
      `contains(${clients}, ${x.value(text)})`,
      `size(${clients}) < ${x.value(clientsPerSession)}`,
    ].join(' OR ')
    return {
      // What is known about the client is stored below it with its code.
      set: [`${x.path('clientAccess')} = if_not_exists(${x.path('clientAccess')}, ${x.value({})})`],
      include: `${clients} ${x.value(new Set([text]))}`,
      condition: [
        `${x.path('credentialEpoch')} = ${x.value(session.credentialEpoch)}`,
        hasSwitchesAsRead(session)(x),
        `(${hasSpace})`,
      ].join(' AND '),
    }
  }

/**
 * Each end of all sessions of a user checks `hasClientSessions`. Setting it counts as an edit, so that an end that read the
 * user before conflicts.
 */
const buildOwnerUpdate =
  ({ credentialEpoch }: UserRecord): Update =>
  (x) => ({
    set: [
      `${x.path('hasClientSessions')} = ${x.value(true)}`,
      `${x.path('version')} = ${x.path('version')} + ${x.value(1)}`,
    ],
    condition: `${isPresent(x)} AND ${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
  })

/** An OpenID Connect client to which a session gave tokens about a user. */
export interface SessionClient {
  readonly clientId: string
  /** The ID of the user in the tokens. While a session impersonates, it is not the user of the session. */
  readonly subject: number
}

/** Sessions store a client as one text, because the table adds to a set of texts in one write. */
export const formatSessionClient = ({ clientId, subject }: SessionClient): string => `${subject} ${clientId}`

export const parseSessionClient = (text: string): SessionClient => {
  const end = text.indexOf(' ')
  return { subject: Number(text.slice(0, end)), clientId: text.slice(end + 1) }
}
