import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { editUser, editUserEndingSessions, findUser } from '../../lib/store/directory/users.ts'
import { apiTokenPrefix, userKey } from '../../lib/store/engine/keys.ts'
import { addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

const path = '/api/2/api-tokens'
let service: TestService
let person: Person & { readonly bearer: string }
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  person = await addSignedIn(service)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

const create = (body: object = { name: 'script' }, bearer = person.bearer) =>
  service.client('POST', path, { bearer, body })
const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const chosen = () => randomBytes(32).toString('base64url')
const storedUser = async () => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user is gone')
  return user
}

describe('an API token', () => {
  it('is shown once, then works as bearer until it is deleted', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${path}/${made.body.id}`)
    expect(made.body).toEqual({
      id: made.body.id,
      name: 'script',
      token: expect.stringMatching(/^lkp_[0-9A-Za-z]{45}$/),
    })
    const { id, token } = made.body
    expect((await me(token)).body.id).toBe(person.user.id)
    for (const answer of [
      await service.client('GET', `${path}/${id}`, { bearer: token }),
      await service.client('GET', path, { bearer: person.bearer }),
    ])
      expect(answer.text).not.toContain(token)
    expect((await service.client('DELETE', `${path}/${id}`, { bearer: token })).status).toBe(204)
    expect((await me(token)).status).toBe(401)
    expect((await service.client('DELETE', `${path}/${id}`, { bearer: person.bearer })).status).toBe(404)
  })

  it('may have a value that the caller chose', async () => {
    const token = chosen()
    const made = await create({ name: 'chosen', token })
    expect(made.body.token).toBe(token)
    expect((await me(token)).body.id).toBe(person.user.id)
    expect((await me(`${token}x`)).status).toBe(401)
    await service.client('DELETE', `${path}/${made.body.id}`, { bearer: person.bearer })
    expect((await me(token)).status).toBe(401)
  })

  it('of a chosen value belongs to one user, also when two choose it at once, and moves on when it is given up', async () => {
    const other = await addSignedIn(service)
    const token = chosen()
    const answers = await Promise.all([
      create({ name: 'a', token }),
      create({ name: 'b', token }, other.bearer),
      create({ name: 'c', token }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.detail).not.toMatch(/\b(user|owner|somebody|taken)\b/i)
    const [mine, theirs] = [answers[0], answers[1]]
    const winner = theirs?.status === 201 ? other : person
    const id = (theirs?.status === 201 ? theirs : (answers.find(({ status }) => status === 201) ?? mine))
      ?.body.id
    expect((await me(token)).body.id).toBe(winner.user.id)
    await service.client('DELETE', `${path}/${id}`, { bearer: winner.bearer })
    const third = await addSignedIn(service)
    expect((await create({ name: 'd', token }, third.bearer)).status).toBe(201)
    expect((await me(token)).body.id).toBe(third.user.id)
  })

  it.each([
    ['too short', randomBytes(12).toString('hex')],
    ['of one letter', 'a'.repeat(64)],
    ['of a run', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['of words', 'correct-horse-battery-staple-again-and-so-on'],
    ['of a repetition', 'x7Qp2m'.repeat(10)],
    ['of digits alone', '31415926535897932384626433832795'],
    ['with a space', `${'Zk3'.repeat(12)} x`],
    ['like one of ours', `lkp_${randomBytes(32).toString('hex')}`],
    ['like a session of ours', `lks_${randomBytes(32).toString('hex')}`],
    ['too long', randomBytes(800).toString('base64url')],
  ])('%s is refused', async (_, token) => {
    const answer = await create({ name: 'bad', token })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(1)
    expect(answer.body.errors[0].field).toBe('token')
    expect(answer.text).not.toContain(token)
  })

  it('of random hexadecimal or base64 is good enough', async () => {
    for (const token of [
      randomBytes(20).toString('hex'),
      randomBytes(24).toString('base64url'),
      randomBytes(500).toString('hex'),
    ])
      expect((await create({ name: 'good', token })).status).toBe(201)
  })

  it('needs a name, and takes no more than a hundred for one user, in parallel too', async () => {
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(1024) }, { name: 5 }, { name: 'a', user: 1 }])
      expect((await create(body)).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 110 }, (_, at) => create({ name: `token ${at}` })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
    const id = answers.find(({ status }) => status === 201)?.body.id
    await service.client('DELETE', `${path}/${id}`, { bearer: person.bearer })
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
  })
})

describe('an API token may not', () => {
  it('make more of its kind, change passwords or second factors, or impersonate', async () => {
    person = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { token } = (await create()).body
    for (const [method, where, body] of [
      ['POST', path, { name: 'more' }],
      [
        'POST',
        '/api/2/users/me/password',
        { password: 'a long new password', current_password: person.password },
      ],
      ['POST', `/api/2/users/${person.user.id}/password`, { password: 'a long new password' }],
      ['POST', `/api/2/users/${person.user.id}/totp`, { key: 'x', otp: '1' }],
      ['DELETE', `/api/2/users/${person.user.id}/totp`, undefined],
      ['POST', '/api/2/auth/impersonation', { user: 1 }],
    ] as const) {
      const answer = await service.client(method, where, { bearer: token, body })
      expect({ where, status: answer.status, code: answer.body.code }).toEqual({
        where,
        status: 403,
        code: 'permission_denied',
      })
    }
    expect((await create({ name: 'x' }, 'a'.repeat(40))).status).toBe(401)
  })

  it('outlive its user’s right to be here, nor be more than its user', async () => {
    const { token } = (await create()).body
    expect((await service.client('GET', '/api/2/users/1', { bearer: token })).status).toBe(403)
    await editUser(service.services.table, await storedUser(), { permissions: ['users:view'] })
    expect((await service.client('GET', '/api/2/users/2147483647', { bearer: token })).status).toBe(404)
    await editUserEndingSessions(service.services.table, await storedUser(), {})
    expect((await me(token)).status).toBe(200)
    await editUser(service.services.table, await storedUser(), { isEnabled: false })
    expect((await me(token)).status).toBe(401)
  })

  it('leave tickets behind that work after it', async () => {
    const made = (await create()).body
    const ticket = async () =>
      (await service.client('POST', '/api/2/auth/ticket', { bearer: made.token })).body.ticket
    const check = async (value: string) =>
      (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: value } })).status
    expect(await check(await ticket())).toBe(200)
    const late = await ticket()
    await service.client('DELETE', `${path}/${made.id}`, { bearer: person.bearer })
    expect(await check(late)).toBe(404)
  })

  it('be ended by a logout, nor end anything', async () => {
    const { token } = (await create()).body
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: token })).status).toBe(204)
    expect((await me(token)).status).toBe(200)
  })
})

describe('somebody else’s API token', () => {
  it('can’t be seen, renamed or deleted by anybody, an administrator included', async () => {
    const { id } = (await create()).body
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const { bearer } of [await addSignedIn(service), admin])
      for (const [method, body] of [
        ['GET'],
        ['PUT', { name: 'x' }],
        ['PATCH', { name: 'x' }],
        ['PATCH', {}],
        ['DELETE'],
      ] as const)
        expect((await service.client(method, `${path}/${id}`, { bearer, body })).status).toBe(404)
    expect((await service.client('GET', path, { bearer: admin.bearer })).body).toEqual([])
  })
})

describe('the list', () => {
  it('is of the caller’s own, filtered by exact name, ordered and paged', async () => {
    for (const name of ['b', 'a', 'c', 'a']) await create({ name })
    const list = async (query = '') => service.client('GET', path + query, { bearer: person.bearer })
    const names = async (query: string) => (await list(query)).body.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['b', 'a', 'c', 'a'])
    expect(await names('?ordering=-id')).toEqual(['a', 'c', 'a', 'b'])
    expect(await names('?ordering=name')).toEqual(['a', 'a', 'b', 'c'])
    expect(await names('?ordering=-name&limit=1')).toEqual(['c'])
    expect(await names('?name=a')).toEqual(['a', 'a'])
    expect(await names('?name=A')).toEqual([])
    expect(await names('?offset=3')).toEqual(['a'])
    const first = await list('?limit=3')
    const [, next = ''] = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const rest = await service.client('GET', next.slice(service.url.length), { bearer: person.bearer })
    expect([...first.body, ...rest.body]).toEqual((await list()).body)
    for (const query of [
      '?ordering=token',
      '?ordering=hash',
      '?limit=0',
      '?limit=-1',
      '?offset=x',
      '?user=1',
    ])
      expect((await list(query)).status).toBe(400)
  })

  it('renames by PUT and PATCH, and takes a body that was read', async () => {
    const { id } = (await create()).body
    const change = (method: string, body: object) =>
      service.client(method, `${path}/${id}`, { bearer: person.bearer, body })
    expect((await change('PUT', { id, name: 'put' })).body).toEqual({ id, name: 'put' })
    expect((await change('PATCH', { name: 'patched' })).body).toEqual({ id, name: 'patched' })
    expect((await change('PATCH', {})).body).toEqual({ id, name: 'patched' })
    expect((await change('PUT', {})).status).toBe(400)
    for (const body of [
      { name: 'x', token: 'y'.repeat(40) },
      { name: 'x', userId: 1 },
      { name: 'x', hash: 'y' },
    ])
      expect((await change('PUT', body)).status).toBe(400)
  })
})

describe('the cost and the traces of using one', () => {
  const lastLine = () => JSON.parse(service.log.at(-1) ?? '{}')

  it('is one call to the table, for a chosen value once its owner is known', async () => {
    const { token } = (await create()).body
    await me(token)
    await me(token)
    expect(lastLine()).toMatchObject({ operation: 'get_current_user', table_calls: 1 })
    const value = chosen()
    await create({ name: 'chosen', token: value })
    await me(value)
    await me(value)
    expect(lastLine()).toMatchObject({ operation: 'get_current_user', table_calls: 1 })
  })

  it('notes its use at most hourly, and never its value', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { token } = (await create()).body
    const stored = async () =>
      (await service.services.table.list(userKey(person.user.id).pk, apiTokenPrefix))[0]
    await me(token)
    expect((await stored())?.['lastUsedAt']).toBe(now)
    vi.setSystemTime(now + 3_599_999)
    await me(token)
    expect((await stored())?.['lastUsedAt']).toBe(now)
    vi.setSystemTime(now + 3_600_000)
    await me(token)
    expect((await stored())?.['lastUsedAt']).toBe(now + 3_600_000)
    expect(JSON.stringify(await stored())).not.toContain(token)
    expect(service.log.join('')).not.toContain(token)
  })
})
