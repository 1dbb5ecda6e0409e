import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { importUsers } from '../../cli/users/import-users.ts'
import { findUserIdByUsername, findUsers } from '../../lib/accounts/users/find-users.records.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* The import writes several users in one transaction. Each line must still get its own result. */

const service = await useWatchedService()
const admin: Person & { readonly bearer: string } = await addSignedIn(service, {
  permissions: ['system:admin-access'],
})
afterEach(() => service.restore())

type Fields = Readonly<Record<string, unknown>>

async function* readEntries(lines: readonly Fields[]): AsyncGenerator<Entry> {
  for (const [at, fields] of lines.entries()) yield { line: at + 1, fields, errors: [] }
}

const importLines = async (lines: readonly Fields[]) => {
  const refused: unknown[] = []
  const { imported, known } = await importUsers(readEntries(lines), {
    services: service.services,
    report: {
      add: async (line, errors) => {
        refused.push([line, ...errors.map(({ field }) => field)])
      },
      close: async () => {},
    },
    isDryRun: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  return { imported, known, refused }
}

const linesOf = (count: number, fields: Fields = {}): readonly Record<string, unknown>[] => {
  const run = randomUUID()
  return Array.from({ length: count }, (_, at) => {
    const username = `${run}-${at}`
    return { username, email: `${username}@example.com`, ...fields }
  })
}
const isTransaction = ({ action }: { readonly action: string }) => action === 'TransactWriteItems'

describe('users of one transaction', () => {
  it('are imported in few calls, each with an ID of their own', async () => {
    const lines = linesOf(64)
    let calls = 0
    service.watch((call) => {
      if (isTransaction(call)) calls += 1
      return undefined
    })
    expect(await importLines(lines)).toEqual({ imported: 64, known: 0, refused: [] })
    expect(calls).toBeLessThanOrEqual(5)
    const ids = await Promise.all(
      lines.map(({ username }) => findUserIdByUsername(service.services.table, String(username))),
    )
    expect(new Set(ids).size).toBe(64)
    expect(await importLines(lines)).toEqual({ imported: 0, known: 64, refused: [] })
  })

  it('are all imported except the one whose name was taken in the meantime', async () => {
    const lines = linesOf(40)
    const [taken, claimed] = [lines[9], lines[12]]
    service.justBefore(isTransaction, async () => {
      await addPerson(service, { username: String(taken?.['username']) })
      await addPerson(service, { email: String(claimed?.['email']) })
    })
    expect(await importLines(lines)).toEqual({
      imported: 38,
      known: 0,
      refused: [
        [10, 'username'],
        [13, 'email'],
      ],
    })
  })

  it('can join the same group, and are refused if it is deleted in the meantime', async () => {
    const body = { name: randomUUID(), permissions: [], members: [] }
    const { client } = service
    const group = (await client('POST', '/api/2/groups', { bearer: admin.bearer, body })).body.id
    const members = linesOf(20, { groups: [group] })
    expect((await importLines(members)).imported).toBe(20)
    const last = await findUserIdByUsername(service.services.table, String(members[19]?.['username']))
    expect((await findUsers(service.services.table, [last ?? 0]))[0]?.groups).toEqual([group])

    const late = [...linesOf(3, { groups: [group] }), ...linesOf(3)]
    service.justBefore(isTransaction, () =>
      client('DELETE', `/api/2/groups/${group}`, { bearer: admin.bearer }),
    )
    expect(await importLines(late)).toEqual({
      imported: 3,
      known: 0,
      refused: [1, 2, 3].map((line) => [line, 'groups']),
    })
  })

  it('may have the username that is the address of another line only if it is free', async () => {
    const [first, second] = linesOf(2)
    const lines = [{ ...first, username: second?.['email'], email: undefined }, { ...second }]
    const { imported, refused } = await importLines(lines)
    // The lines are in different transactions at the same time, so either can be first.
    expect(imported).toBe(1)
    expect([[[1, 'username']], [[2, 'email']]]).toContainEqual(refused)
  })

  it('become administrators as their lines say', async () => {
    const lines = linesOf(5, { permissions: ['system:admin-access'] })
    expect(await importLines(lines)).toEqual({ imported: 5, known: 0, refused: [] })
  })
})

describe('an import of new users', () => {
  const isLookup = ({ action }: { readonly action: string }) => action === 'BatchGetItem'

  it('looks names up only until none of them is taken, and again after one is', async () => {
    const lines = linesOf(700)
    const [taken, claimed] = [lines[250], lines[255]]
    await addPerson(service, { username: String(taken?.['username']) })
    await addPerson(service, { email: String(claimed?.['email']) })
    let names = 0
    service.watch((call) => {
      const tables: readonly Keyed[] = isLookup(call) ? Object.values(call.input.RequestItems) : []
      for (const { Keys } of tables) names += Keys.length
      return undefined
    })
    expect(await importLines(lines)).toEqual({
      imported: 698,
      known: 0,
      refused: [
        [251, 'username'],
        [256, 'email'],
      ],
    })
    // Three names for each of the first 200 lines, with the looks of the username, for those of rejected transactions, and for at most 200 lines after them.
    expect(names).toBeGreaterThanOrEqual(600)
    expect(names).toBeLessThan(1500)
  })

  it('counts users as imported whose transaction was committed before its answer was lost', async () => {
    const sent = new Set<string>()
    service.loseAnswers((call) => {
      const isFirst = isTransaction(call) && !sent.has(JSON.stringify(call.input))
      sent.add(JSON.stringify(call.input))
      return isFirst
    })
    const lines = linesOf(60)
    expect(await importLines(lines)).toEqual({ imported: 60, known: 0, refused: [] })
    service.restore()
    expect(await importLines(lines)).toEqual({ imported: 0, known: 60, refused: [] })
  })

  it('gives each name to one of two imports that have it at the same time', async () => {
    const lines = linesOf(300)
    const others = lines.map((line) => ({ ...line, full_name: 'Someone else' }))
    const [first, second] = await Promise.all([importLines(lines), importLines(others)])
    expect(first.imported + second.imported).toBe(300)
    expect(first.refused.length + second.refused.length).toBe(300)
    const again = await Promise.all([importLines(lines), importLines(others)])
    expect(again.map(({ known, imported }) => [known, imported])).toEqual([
      [first.imported, 0],
      [second.imported, 0],
    ])
  })

  it('writes an audit event for each user, also if a transaction was rejected', async () => {
    const lines = linesOf(20)
    service.justBefore(isTransaction, () => addPerson(service, { username: String(lines[3]?.['username']) }))
    expect((await importLines(lines)).imported).toBe(19)
    const counts = await Promise.all(
      lines.map(async ({ username }) => {
        const id = await findUserIdByUsername(service.services.table, String(username))
        const query = `/api/2/auth/audit-events?user=${id}&event=users.imported`
        return (await service.client('GET', query, { bearer: admin.bearer })).body.length
      }),
    )
    expect(counts).toEqual(lines.map((_, at) => (at === 3 ? 0 : 1)))
  })

  it('looks up the names that the table left unprocessed', async () => {
    let isFirst = true
    service.watch(({ action, input }) => {
      if (action !== 'BatchGetItem' || !isFirst) return undefined
      isFirst = false
      return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys: input.RequestItems }) }
    })
    const lines = linesOf(20)
    await addPerson(service, { username: String(lines[7]?.['username']) })
    expect(await importLines(lines)).toEqual({ imported: 19, known: 0, refused: [[8, 'username']] })
  })
})

interface Keyed {
  readonly Keys: readonly unknown[]
}
