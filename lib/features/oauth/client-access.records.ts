import { buildSessionLogoutSteps } from '../../accounts/sessions/logout-jobs.records.ts'
import type { ClientAccess, SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { clientUsePrecisionMs } from '../../kernel/limits/limits.ts'
import { sessionKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatSessionClient, parseSessionClient, type SessionClient } from './session-clients.records.ts'

/*
 * What a client may do is stored with the session that its grants depend on. Every use of a code or token reads the
 * session, so ending the access costs these uses nothing, and works from the next one on.
 */

/** Finds what is known about a client of a session. */
export const findClientAccess = (
  { clientAccess = {} }: Pick<SessionRecord, 'clientAccess'>,
  client: SessionClient,
): ClientAccess | undefined => {
  const text = formatSessionClient(client)
  return Object.hasOwn(clientAccess, text) ? clientAccess[text] : undefined
}

/** The clients that may get tokens about a user in a session. */
export const listClientAccess = (
  { clientAccess = {} }: Pick<SessionRecord, 'clientAccess'>,
  isOfUser: (client: SessionClient) => boolean,
): ReadonlyMap<string, NonNullable<ClientAccess['access']>> =>
  new Map(
    Object.entries(clientAccess).flatMap(([text, { access }]) => {
      const client = parseSessionClient(text)
      return access && isOfUser(client) ? [[client.clientId, access]] : []
    }),
  )

/** Refresh tokens end at the earliest by this part of their idle lifetime before it is over, because not each use is written. */
const idlePrecision = 1 / 24

export interface ClientUse {
  readonly client: SessionClient
  readonly scopes: readonly string[]
  /** The number of the grant. */
  readonly ends: number
  /** How long refresh tokens work without a use. */
  readonly idleMs: number
  readonly nowMs: number
  readonly orElse?: OrElse
}

/**
 * Builds the step that notes a use of a client in a session, for the write that stores its code or token. None if the
 * session knows it already. The step fails if the access has ended since the grant.
 */
export const buildClientUseSteps = (
  session: SessionRecord,
  { client, scopes, ends, idleMs, nowMs, orElse }: ClientUse,
): readonly Step[] => {
  const access = findClientAccess(session, client)?.access
  const isKnown = scopes.every((scope) => access?.scopes.includes(scope))
  const hasRefreshTokens = scopes.includes('offline_access')
  const precisionMs = hasRefreshTokens
    ? Math.min(idleMs * idlePrecision, clientUsePrecisionMs)
    : clientUsePrecisionMs
  if (access && isKnown && nowMs - access.usedAt < precisionMs) return []
  const app: ClientAccess = {
    ends,
    access: {
      since: access?.since ?? nowMs,
      usedAt: nowMs,
      ...omitUndefined({ idleAt: hasRefreshTokens ? nowMs + idleMs : access?.idleAt }),
      scopes: [...new Set([...(access?.scopes ?? []), ...scopes])],
    },
  }
  return [
    {
      update: sessionKey(session.userId, session.hash),
      changes: (x) => {
        const path = ['clientAccess', formatSessionClient(client)] as const
        const isSame = `${x.path(...path, 'ends')} = ${x.value(ends)}`
        const isNew = `attribute_exists(${x.path('clientAccess')}) AND attribute_not_exists(${x.path(...path)})`
        return {
          set: [`${x.path(...path)} = ${x.value(app)}`],
          condition: ends === 0 ? `${isSame} OR (${isNew})` : isSame,
        }
      },
      orElse,
    },
  ]
}

export interface AccessEnd {
  readonly client: SessionClient
  readonly nowMs: number
  /** Whether to inform the client. */
  readonly isInformed: boolean
  readonly extraSteps: readonly Step[]
}

/** Sessions that one transaction changes, each with a job. It has space for other steps. */
export const sessionsPerAccessEnd = 40

/**
 * Ends the access of a client in sessions that it has access in: at most `sessionsPerAccessEnd`. Its grants no longer work.
 * Returns false if one of the sessions has ended, or the access was ended in it, since they were read.
 */
export const endClientAccess = (
  table: Table,
  sessions: readonly SessionRecord[],
  { client, nowMs, isInformed, extraSteps }: AccessEnd,
): Promise<boolean> => {
  const text = formatSessionClient(client)
  const steps = sessions.flatMap((session): readonly Step[] => {
    const ends = findClientAccess(session, client)?.ends ?? 0
    const ended: ClientAccess = { ends: ends + 1, endedAt: nowMs }
    return [
      {
        update: sessionKey(session.userId, session.hash),
        changes: (x) => ({
          set: [`${x.path('clientAccess', text)} = ${x.value(ended)}`],
          condition: `${x.path('clientAccess', text, 'ends')} = ${x.value(ends)}`,
        }),
      },
      ...(isInformed ? buildSessionLogoutSteps({ ...session, clients: new Set([text]) }) : []),
    ]
  })
  return wasCommitted(table.transact([...steps, ...extraSteps]))
}
