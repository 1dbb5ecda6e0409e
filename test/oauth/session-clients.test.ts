import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { endSession } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { logoutJobCodec } from '../../lib/accounts/sessions/logout-jobs.records.ts'
import type { SessionRecord } from '../../lib/accounts/sessions/stored-session.records.ts'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import { createUser, editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import {
  formatSessionClient,
  noteSessionClient,
  parseSessionClient,
} from '../../lib/features/oauth/session-clients.records.ts'
import { clientsPerSession } from '../../lib/kernel/limits/limits.ts'
import { logoutJobPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import { availableEngines } from '../support/available-engines.ts'
import { tableIn } from '../table/engines.ts'

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  beforeAll(async () => {
    table = await tableIn(engine)
  })

  const addSession = async (): Promise<SessionRecord> => {
    const now = Date.now()
    const user = await createUser(table, buildUser({ username: `user-${randomUUID()}` }), now)
    const session: SessionRecord = {
      hash: randomUUID(),
      id: 1,
      userId: user.id,
      credentialEpoch: user.credentialEpoch,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + 60_000,
      address: '192.0.2.1',
      userAgent: '',
      authentication: { at: 0, methods: ['pwd'] },
    }
    await createSession(table, session)
    return session
  }
  const read = async ({ userId, hash }: SessionRecord) => {
    const { session, user: owner } = await findSessionAndUser(table, userId, hash)
    if (!session || !owner) throw new Error('The session or its user is missing.')
    return { session, owner }
  }
  const listClients = async (session: SessionRecord) =>
    [...((await read(session)).session.clients ?? [])].map(parseSessionClient)

  it('remembers each client once, also of 20 concurrent requests that read the session before', async () => {
    const session = await addSession()
    const before = await read(session)
    const client = { clientId: '7-abc', subject: session.userId }
    const results = await Promise.all(
      Array.from({ length: 20 }, () => noteSessionClient(table, before, client)),
    )
    expect(new Set(results)).toEqual(new Set(['noted']))
    expect(await noteSessionClient(table, await read(session), { ...client, clientId: '8-abc' })).toBe(
      'noted',
    )
    expect(await listClients(session)).toEqual([client, { ...client, clientId: '8-abc' }])
  })

  it('keeps apart the users of the tokens of one client', () => {
    const client = { clientId: 'a client', subject: 12 }
    expect(parseSessionClient(formatSessionClient(client))).toEqual(client)
  })

  it('accepts no client of a session that has ended', async () => {
    const session = await addSession()
    const before = await read(session)
    const client = { clientId: '7-abc', subject: session.userId }
    await endSession(table, session, [])
    expect(await noteSessionClient(table, before, client)).toBe('ended')
  })

  it('accepts no client of a session that ended with all others of its user', async () => {
    const session = await addSession()
    const before = await read(session)
    await editUserEndingSessions(table, before.owner, {})
    const client = { clientId: '7-abc', subject: session.userId }
    expect(await noteSessionClient(table, before, client)).toBe('ended')
  })

  it('stores a job for each client that was noted while the session ended', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await addSession()
      await noteSessionClient(table, await read(session), { clientId: '1-abc', subject: session.userId })
      const before = await read(session)
      const clientIds = ['2-abc', '3-abc', '4-abc']
      const [, ...results] = await Promise.all([
        endSession(table, before.session, []),
        ...clientIds.map((clientId) =>
          noteSessionClient(table, before, { clientId, subject: session.userId }),
        ),
      ])
      const noted = ['1-abc', ...clientIds.filter((_, at) => results[at] === 'noted')]
      const jobs = (await Promise.all(logoutJobPartitions.map((pk) => table.list(pk, ''))))
        .flat()
        .map(logoutJobCodec.decode)
        .filter(({ sessionHash }) => sessionHash === session.hash)
      expect(jobs).toHaveLength(1)
      const informed = [...(jobs[0]?.clients ?? [])].map((text) => parseSessionClient(text).clientId)
      expect(informed.sort()).toEqual(noted)
    }
  })

  it('lets an end of all sessions conflict if it read the user before the first client', async () => {
    const session = await addSession()
    const before = await read(session)
    await noteSessionClient(table, before, { clientId: '7-abc', subject: session.userId })
    await expect(editUserEndingSessions(table, before.owner, {})).rejects.toThrow(EditConflict)
    // Later clients are no edits, so administrators get a conflict at most once for each user.
    const { session: noted, owner } = await read(session)
    await noteSessionClient(table, { session: noted, owner }, { clientId: '8-abc', subject: session.userId })
    await editUser(table, owner, { full_name: 'Someone' })
    expect((await findUser(table, session.userId))?.full_name).toBe('Someone')
  })

  it(`bounds the clients of a session`, async () => {
    const session = await addSession()
    const note = async (at: number) =>
      noteSessionClient(table, await read(session), { clientId: `${at}-abc`, subject: session.userId })
    for (let at = 1; at <= clientsPerSession; at++) expect(await note(at)).toBe('noted')
    expect(await note(clientsPerSession + 1)).toBe('full')
    expect(await note(1)).toBe('noted')
    expect(await listClients(session)).toHaveLength(clientsPerSession)
  })
})
