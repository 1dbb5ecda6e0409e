import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { ageAuthentication } from '../support/age-authentication.ts'
import type { Answer, Json } from '../support/client.ts'
import { addLink, redeem } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* An import gives any permission and any credential. So it must be the act of an administrator, and exact for each line. */

const service = await useWatchedService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => service.restore())

const newName = () => `made-${randomUUID()}`
const send = (lines: readonly unknown[], bearer = admin.bearer): Promise<Answer> =>
  service.client('POST', '/api/2/users/import', { bearer, body: { lines } })
const exportUsers = (bearer: string) => service.client('GET', '/api/2/users/export?limit=1', { bearer })
const resultsOf = ({ status, text, body }: Answer): Json[] => {
  expect(status, text).toBe(200)
  return body.results
}
const outcomes = (answer: Answer) => resultsOf(answer).map(({ outcome }) => outcome)
const findAll = async (username: string): Promise<Json[]> =>
  (await service.client('GET', `/api/2/users?username=${username}`, { bearer: admin.bearer })).body
const countEvents = async (event: string): Promise<number> =>
  (await service.client('GET', `/api/2/auth/audit-events?event=${event}`, { bearer: admin.bearer })).body
    .length

it('each page of an export leaves an event, also if it is the first that somebody asks for', async () => {
  const before = await countEvents('users.exported')
  const { headers } = await exportUsers(admin.bearer)
  const [, next = ''] = /<([^>]+)>;[^<]*next/.exec(headers.get('link') ?? '') ?? []
  const { pathname, search } = new URL(next, `${service.url}/api/2/users/export`)
  const later = await service.client('GET', pathname + search, { bearer: admin.bearer })
  expect([later.status, later.text]).toEqual([200, expect.stringContaining('"username"')])
  expect(await countEvents('users.exported')).toBe(before + 2)
})

describe('someone who is no administrator', () => {
  const superuser = () => ({ username: newName(), permissions: ['system:admin-access'] })
  const requireRefused = async (bearer: string, statuses: readonly number[] = [403]) => {
    const line = superuser()
    const before = await countEvents('users.exported')
    for (const lines of [[line], [{ username: newName() }]])
      expect(statuses).toContain((await send(lines, bearer)).status)
    expect(statuses).toContain((await exportUsers(bearer)).status)
    expect(await findAll(line.username)).toEqual([])
    expect(await countEvents('users.exported')).toBe(before)
  }

  it.each([[['users:manage', 'users:view']], [['users:view']], [[]]])(
    'with %j neither imports nor exports',
    async (permissions) => {
      await requireRefused((await addSignedIn(service, { permissions })).bearer)
    },
  )

  it('has no credential, or one of another kind', async () => {
    await requireRefused('', [401])
    const { body } = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'script' },
    })
    await requireRefused(body.token, [401, 403])
  })

  it('lost the group that made them an administrator', async () => {
    const group = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: `group-${randomUUID()}`, permissions: ['system:admin-access'] },
    })
    const member = await addSignedIn(service, { groups: [group.body.id] })
    expect(outcomes(await send([superuser()], member.bearer))).toEqual(['imported'])
    await service.client('DELETE', `/api/2/groups/${group.body.id}`, { bearer: admin.bearer })
    await requireRefused(member.bearer)
  })

  it('is held back by the limit of someone with fewer rights who set their address', async () => {
    const group = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: `group-${randomUUID()}`, permissions: ['system:admin-access'] },
    })
    const limited = await addSignedIn(service, {
      groups: [group.body.id],
      rightsLimit: { permissions: ['users:manage'], since: Date.now() },
    })
    await requireRefused(limited.bearer)
  })
})

describe('the session of an administrator', () => {
  it('needs a recent proof of identity', async () => {
    const stale = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await ageAuthentication(service, stale, service.services.config.recentAuthenticationMs + 1)
    const line = { username: newName() }
    for (const answer of [await send([line], stale.bearer), await exportUsers(stale.bearer)]) {
      expect(answer.status).toBe(403)
      expect(answer.body.reason).toBe('reauthentication_required')
    }
    expect(await findAll(line.username)).toEqual([])
  })

  it('does not count while it impersonates another administrator, or shows an access link', async () => {
    const other = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await service.client('POST', '/api/2/auth/impersonation', {
      bearer: other.bearer,
      body: { user: (await addPerson(service)).user.id },
    })
    const creator = await addSignedIn(service, { permissions: ['media:access'] })
    const link = await addLink(service, creator.bearer, { user: admin.user.id })
    const opened = await redeem(service, link.token, { bearer: admin.bearer })
    for (const bearer of [other.bearer, opened.body.session_key]) {
      expect((await send([{ username: newName() }], bearer)).status).toBe(403)
      expect((await exportUsers(bearer)).status).toBe(403)
    }
  })
})

describe('a hostile line', () => {
  it.each([
    ['another prototype', '{"username":"NAME","__proto__":{"permissions":["system:admin-access"]}}'],
    ['a built-in member', '{"username":"NAME","constructor":1}'],
    ['the ID of another user', '{"username":"NAME","id":1}'],
    ['a state that no import sets', '{"username":"NAME","sync_id":"x"}'],
    ['a nested value as a name', '{"username":{"a":1}}'],
    ['a permission without its form', '{"username":"NAME","permissions":["admin"]}'],
    ['an unknown group', '{"username":"NAME","groups":[2147483647]}'],
    ['a plain password as a hash', '{"username":"NAME","password_hash":"hunter2"}'],
    ['a hash that takes hours', `{"username":"NAME","password_hash":"$2b$31$${'a'.repeat(53)}"}`],
    ['more text than a record has room for', `{"username":"NAME","full_name":"${'a'.repeat(70_000)}"}`],
    ['a script as the start page', '{"username":"NAME","default_page":"javascript:alert(1)"}'],
    ['a list instead of an object', '[1]'],
    ['nothing', 'null'],
  ])('with %s is refused alone, and never quoted', async (_, text) => {
    const [bad, good] = [newName(), newName()]
    const answer = await service.client('POST', '/api/2/users/import', {
      bearer: admin.bearer,
      raw: `{"lines":[${text.replace('NAME', bad)},{"username":"${good}"}]}`,
    })
    expect(outcomes(answer)).toEqual(['refused', 'imported'])
    expect(answer.text).not.toMatch(/hunter2|aaaaaaaa|javascript/)
    expect(await findAll(bad)).toEqual([])
    expect((await findAll(good))[0]?.['permissions']).toEqual([])
  })

  it('in a body that cannot be read, or is too large, is refused with all others', async () => {
    const line = { username: newName() }
    const nested = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], 1)
    expect((await send([line, { username: newName(), attributes: nested }])).status).toBe(400)
    const large = Array.from({ length: 5 }, () => ({ username: newName(), full_name: 'a'.repeat(60_000) }))
    expect((await send([line, ...large])).status).toBe(413)
    expect(await findAll(line.username)).toEqual([])
  })
})

describe('the same lines', () => {
  const createLines = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const username = newName()
      return { username, email: `${username}@example.com`, permissions: at === 0 ? ['users:view'] : [] }
    })

  it('create each user once if two requests send them at the same time', async () => {
    const lines = createLines(40)
    const answers = await Promise.all([send(lines), send(lines), send(lines)])
    const results = answers.map((answer) => outcomes(answer))
    for (const [at, { username }] of lines.entries()) {
      const ofLine = results.map((one) => one[at])
      expect(ofLine.filter((outcome) => outcome === 'imported')).toHaveLength(1)
      expect(ofLine.filter((outcome) => outcome === 'known')).toHaveLength(2)
      expect(await findAll(username)).toHaveLength(1)
    }
  })

  it('are imported once if the answer of the table is lost and the request repeated', async () => {
    const lines = createLines(20)
    service.loseAnswers(hasStep('Put', /^username#/))
    expect(await send(lines)).toMatchObject({ status: 503, body: { reason: 'outcome_unknown' } })
    service.restore()
    const repeated = outcomes(await send(lines))
    expect(new Set(repeated)).toEqual(new Set(['known', 'imported']))
    expect(outcomes(await send(lines))).toEqual(lines.map(() => 'known'))
    for (const { username } of lines) expect(await findAll(username)).toHaveLength(1)
    const [event] = (
      await service.client('GET', `/api/2/auth/audit-events?event=users.imported&limit=20`, {
        bearer: admin.bearer,
      })
    ).body
    expect(event).toMatchObject({ actor: admin.user.id, credential: 'session' })
  })

  it('do not take the name of a user who comes first', async () => {
    const [line] = createLines(1)
    const username = line?.username ?? ''
    service.justBefore(hasStep('Put', /^username#/), () => addPerson(service, { username }))
    expect(outcomes(await send([{ username: newName() }, line]))).toEqual(['imported', 'refused'])
    expect(await findAll(username)).toHaveLength(1)
  })
})

describe('a guest of an access link', () => {
  it('gives their address and name to the user of a line, and is in no export', async () => {
    const creator = await addSignedIn(service, { permissions: ['media:access'] })
    const [first, second] = [`${newName()}@example.com`, `${newName()}@example.com`]
    await addLink(service, creator.bearer, { email: first })
    // A guest who had rights for a while holds the names of an account.
    const fields = { email: second, is_external: true, isGuest: true, passwordHash: null } as const
    await addPerson(service, { username: second, ...fields })
    const lines = [
      { username: first, email: first },
      { username: second, email: second },
    ]
    expect(outcomes(await send(lines))).toEqual(['imported', 'imported'])
    expect(outcomes(await send(lines))).toEqual(['known', 'known'])
    const link = `${newName()}@example.com`
    await addLink(service, creator.bearer, { email: link })
    const exported = await service.client('GET', '/api/2/users/export', { bearer: admin.bearer })
    expect(exported.text).toContain(first)
    expect(exported.text).not.toContain(link)
  })

  it('and a claim of an address do not keep a line from its user', async () => {
    const email = `${newName()}@example.com`
    const lines = [
      { username: newName(), email, email_verified: false },
      { username: newName(), email },
    ]
    expect(outcomes(await send([lines[0]]))).toEqual(['imported'])
    expect(outcomes(await send([lines[1]]))).toEqual(['imported'])
  })
})

describe('an imported administrator', () => {
  it('is announced to the administrators, like any other new one', async () => {
    const before = await countEvents('users.imported')
    const line = { username: newName(), permissions: ['system:admin-access'] }
    const calls: string[] = []
    service.watch((call) => {
      calls.push(JSON.stringify(call.input))
      return undefined
    })
    expect(outcomes(await send([line]))).toEqual(['imported'])
    expect(calls.some((input) => input.includes('outbox#'))).toBe(true)
    service.restore()
    expect(await countEvents('users.imported')).toBe(before + 1)
  })
})
