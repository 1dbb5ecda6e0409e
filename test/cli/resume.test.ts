import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUserIdByUsername, findUsers } from '../../lib/accounts/users/find-users.records.ts'
import { getListing, readEntries } from '../../lib/kernel/table/listing.ts'
import { actionOf } from '../infra/dynamodb-proxy.ts'
import { type StubAnswer, type StubRequest, startStub } from '../infra/stub-server.ts'
import { addPerson, addSignedIn, type SignedInPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import {
  environmentOf,
  jsonLines,
  makeFolder,
  type RunningCommand,
  refusalsOf,
  runUsers,
  startUsers,
} from './command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const namesWith = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`)
const fileOf = (names: readonly string[]): string =>
  folder.file(
    `${randomUUID()}.jsonl`,
    jsonLines(names.map((username) => ({ username, email: `${username}@example.com` }))),
  )
const args = (file: string) => ['import', file, '--table', service.tableName]
const importFile = (file: string, env = environmentOf()) => runUsers(args(file), env)

/** The number of stored users with these names, independent of the uniqueness records. */
const countUsers = async (name: string): Promise<number> => {
  const { table } = service.services
  const entries = await readEntries(table, getListing('user', 'id'), { limit: 20_000, isDescending: false })
  const users = await findUsers(
    table,
    entries.map(({ indexKey }) => Number(indexKey)),
  )
  return users.filter((user) => user?.username.startsWith(name)).length
}

const waitForSomeUsers = async (name: string, run: RunningCommand): Promise<void> => {
  while ((await findUserIdByUsername(service.services.table, `${name}-50`)) === undefined) {
    if (run.process.exitCode !== null) throw new Error('the import ended before it could be interrupted')
    await sleep(5)
  }
}

const passOn = async ({ headers, body }: StubRequest): Promise<StubAnswer> => {
  const { DYNAMODB_ENDPOINT = '' } = process.env
  const kept = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']
  const response = await fetch(DYNAMODB_ENDPOINT, {
    method: 'POST',
    headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])),
    body,
  })
  return { status: response.status, body: await response.text() }
}

const countIn = (stdout: string, pattern: RegExp): number =>
  Number(pattern.exec(stdout)?.[1]?.replaceAll(',', '') ?? 0)
const imported = (stdout: string): number => countIn(stdout, /^([\d,]+) users? imported/m)
const importedBefore = (stdout: string): number =>
  countIn(stdout, /^([\d,]+) users? had been imported before/m)

describe('an interrupted import', () => {
  const total = 700

  it('resumes after a kill and imports no one twice', async () => {
    const name = `killed-${randomUUID()}`
    const file = fileOf(namesWith(name, total))
    // The stub waits for calls that the killed process had already sent.
    const pendingCalls = new Set<Promise<StubAnswer>>()
    const stub = await startStub((request) => {
      const answer = passOn(request)
      pendingCalls.add(answer)
      return answer
    })
    const first = startUsers(args(file), { ...environmentOf(), DYNAMODB_ENDPOINT: stub.url })
    await waitForSomeUsers(name, first)
    first.process.kill('SIGKILL')
    expect((await first.ended).code).toBe(null)
    await stub.close()
    await Promise.all(pendingCalls)
    const before = await countUsers(name)
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(total)

    const { code, stdout } = await importFile(file)
    expect({ code, known: importedBefore(stdout), imported: imported(stdout) }).toEqual({
      code: 0,
      known: before,
      imported: total - before,
    })
    expect(await countUsers(name)).toBe(total)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'finishes its current lines after %s and reports where it ended',
    async (signal) => {
      const name = `stopped-${randomUUID()}`
      const file = fileOf(['not/allowed\u0000', ...namesWith(name, total)])
      const first = startUsers(args(file), environmentOf())
      await waitForSomeUsers(name, first)
      first.process.kill(signal)
      const { code, stdout, stderr } = await first.ended
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
      const before = await countUsers(name)
      expect(imported(stdout)).toBe(before)
      expect(before).toBeLessThan(total)
      expect(stdout).toMatch(/^Interrupted after line [\d,]+\. Run the same command again to resume\.$/m)
      expect(await refusalsOf(file)).toHaveLength(1)

      const second = await importFile(file)
      expect(second.code).toBe(1)
      expect(importedBefore(second.stdout)).toBe(before)
      expect(await countUsers(name)).toBe(total)
    },
  )
})

it('imports each user once when two commands import the same file', async () => {
  const name = `twice-${randomUUID()}`
  const file = fileOf(namesWith(name, 300))
  const both = await Promise.all([1, 2].map((run) => importFileReporting(file, `${file}.${run}.refused`)))
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(both.reduce((sum, { stdout }) => sum + imported(stdout), 0)).toBe(300)
  expect(await countUsers(name)).toBe(300)
})
const importFileReporting = (file: string, report: string) =>
  runUsers([...args(file), '--report', report], environmentOf())

describe('a second import', () => {
  it('recognizes imported users in any format and field order, also after changes', async () => {
    const [first = '', second = ''] = namesWith(`again-${randomUUID()}`, 2)
    const users = [{ username: first, full_name: 'Ada', permissions: ['users:view'] }, { username: second }]
    expect((await importFile(folder.file('again.jsonl', jsonLines(users)))).code).toBe(0)
    const { user, password } = await addPerson(service, { permissions: ['system:admin-access'] })
    const login = await trySignIn(service, { user, password })
    const id = await findUserIdByUsername(service.services.table, first)
    const changed = await service.client('PATCH', `/api/2/users/${id}`, {
      bearer: login.body.session_key,
      body: { full_name: 'Ada Lovelace' },
    })
    expect(changed.status).toBe(200)

    const csv = `permissions,full_name,username\nusers:view,Ada,${first}\n,,${second}\n`
    const ended = await importFile(folder.file('again.csv', csv))
    expect(ended).toMatchObject({
      code: 0,
      stdout: '0 users imported.\n2 users had been imported before.\n',
    })
  })

  it('distinguishes a changed line from the name of another user', async () => {
    const [username = ''] = namesWith(`changed-${randomUUID()}`, 1)
    const stranger = await addPerson(service, { email: `${randomUUID()}@example.com` })
    expect((await importFile(folder.file('first.jsonl', jsonLines([{ username }])))).code).toBe(0)
    const file = folder.file(
      'changed.jsonl',
      jsonLines([
        { username, full_name: 'New' },
        { username: stranger.user.username },
        { username: `${username}-2`, email: stranger.user.email?.toUpperCase() },
      ]),
    )
    expect((await importFile(file)).code).toBe(1)
    expect(await refusalsOf(file)).toEqual([
      {
        line: 1,
        errors: [
          {
            field: 'username',
            message: 'is the name of a user who was imported from a different line',
          },
        ],
      },
      { line: 2, errors: [{ field: 'username', message: 'is the name of another user' }] },
      { line: 3, errors: [{ field: 'email', message: 'is the address of another user' }] },
    ])
  })
})

const throttled = (reasons?: readonly string[]): StubAnswer => ({
  status: 400,
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${reasons ? 'TransactionCanceledException' : 'ThrottlingException'}`,
    message: 'too much',
    ...(reasons ? { CancellationReasons: reasons.map((Code) => ({ Code })) } : {}),
  }),
})

describe('a user whose groups take several transactions', () => {
  let admin: SignedInPerson
  let groups: readonly number[]
  beforeAll(async () => {
    admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const answers = await Promise.all(
      Array.from({ length: 80 }, () =>
        service.client('POST', '/api/2/groups', { bearer: admin.bearer, body: { name: randomUUID() } }),
      ),
    )
    groups = answers.map(({ body }) => body.id)
  })
  const addFile = () => {
    const username = `member-${randomUUID()}`
    return { username, file: folder.file(`${username}.jsonl`, jsonLines([{ username, groups }])) }
  }
  const readGroups = async (username: string) => {
    const id = (await findUserIdByUsername(service.services.table, username)) ?? 0
    return (await findUsers(service.services.table, [id]))[0]?.groups
  }
  /** Imports a file through an endpoint that answers the transactions with these numbers itself. */
  const importThrough = async (
    file: string,
    answerOf: (transaction: number) => StubAnswer | undefined | Promise<undefined>,
  ) => {
    let transactions = 0
    const stub = await startStub(async (request) => {
      if (actionOf(request) === 'TransactWriteItems') transactions += 1
      const answer = actionOf(request) === 'TransactWriteItems' ? await answerOf(transactions) : undefined
      return answer ?? passOn(request)
    })
    const ended = await importFile(file, { ...environmentOf(), DYNAMODB_ENDPOINT: stub.url })
    await stub.close()
    return ended
  }

  it('gets the others from the next run if one ended between them, and none back that were removed since', async () => {
    const { username, file } = addFile()
    const unavailable = throttled(['ProvisionedThroughputExceededX'])
    const first = await importThrough(file, (at) => (at === 2 ? unavailable : undefined))
    expect(first.code).toBe(2)
    expect(await readGroups(username)).toHaveLength(25)
    expect((await runUsers([...args(file), '--dry-run'], environmentOf())).code).toBe(0)
    expect(await readGroups(username)).toHaveLength(25)

    const known = { code: 0, stdout: '0 users imported.\n1 user had been imported before.\n' }
    expect(await importFile(file)).toMatchObject(known)
    expect(await readGroups(username)).toEqual(groups)

    const id = await findUserIdByUsername(service.services.table, username)
    const body = { groups: groups.slice(0, 25) }
    await service.client('PATCH', `/api/2/users/${id}`, { bearer: admin.bearer, body })
    expect(await importFile(file)).toMatchObject(known)
    expect(await readGroups(username)).toEqual(body.groups)
  })

  it('gets all of them if one was throttled for long', async () => {
    const { username, file } = addFile()
    const ended = await importThrough(file, (at) => (at > 1 && at < 8 ? throttled() : undefined))
    expect({ code: ended.code, imported: imported(ended.stdout) }).toEqual({ code: 0, imported: 1 })
    expect(await readGroups(username)).toEqual(groups)
  })

  it('is reported if a group is deleted between them', async () => {
    const { file } = addFile()
    const ended = await importThrough(file, async (at) => {
      const path = `/api/2/groups/${groups.at(-1)}`
      if (at === 2) await service.client('DELETE', path, { bearer: admin.bearer })
      return undefined
    })
    expect(ended.code).toBe(1)
    const message = 'contains a group that was just deleted, so the user has only some of them'
    expect(await refusalsOf(file)).toEqual([{ line: 1, errors: [{ field: 'groups', message }] }])
  })
})

describe('a throttled table', () => {
  it('is retried, also when a write succeeded although it was reported as throttled', async () => {
    const name = `busy-${randomUUID()}`
    const file = fileOf(namesWith(name, 320))
    const calls = new Map<string, number>()
    const stub = await startStub(async (request) => {
      const action = actionOf(request)
      const call = (calls.get(action) ?? 0) + 1
      calls.set(action, call)
      if (action === 'TransactWriteItems' && call % 5 === 1)
        return throttled(['None', 'None', 'ThrottlingError', 'None'])
      if (action === 'UpdateItem' && call === 1) return throttled()
      const answer = await passOn(request)
      return action === 'TransactWriteItems' && call % 5 === 2 ? throttled() : answer
    })
    const ended = await importFile(file, { ...environmentOf(), DYNAMODB_ENDPOINT: stub.url })
    await stub.close()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(imported(ended.stdout)).toBe(320)
    expect(await countUsers(name)).toBe(320)
    expect(calls.get('TransactWriteItems')).toBeGreaterThan(25)
    expect(calls.get('UpdateItem')).toBeLessThanOrEqual(4)
  })

  it('ends the import with an error and a summary when it stays unavailable', async () => {
    const name = `unavailable-${randomUUID()}`
    const file = fileOf(namesWith(name, 200))
    let writes = 0
    const stub = await startStub(async (request) => {
      if (actionOf(request) === 'TransactWriteItems') writes += 1
      return writes > 5 ? throttled(['ProvisionedThroughputExceededX']) : passOn(request)
    })
    const ended = await importFile(file, { ...environmentOf(), DYNAMODB_ENDPOINT: stub.url })
    await stub.close()
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/^DynamoDB refused the call \(TransactionCanceledException\): too much\n$/)
    expect(imported(ended.stdout)).toBe(await countUsers(name))
    expect((await importFile(file)).code).toBe(0)
    expect(await countUsers(name)).toBe(200)
  })
})
