import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { apiTokenPrefix, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { awaitMails } from '../support/await-mails.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { findNextPath } from '../support/next-page.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/api-tokens'
const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})
afterEach(() => vi.useRealTimers())

const create = (body: object = { name: 'script' }, bearer = person.bearer) =>
  service.client('POST', path, { bearer, body })
const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const newCustomValue = () => randomBytes(32).toString('base64url')
const storedUser = async () => {
  const user = await findUser(service.services.table, person.user.id)
  if (!user) throw new Error('the user was not found')
  return user
}

describe('an API token', () => {
  it('is shown once and works as a bearer credential until it is deleted', async () => {
    const created = await create()
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`)
    expect(created.body).toEqual({
      id: created.body.id,
      name: 'script',
      scopes: null,
      expires: null,
      created_at: expect.any(String),
      last_used_at: null,
      token: expect.stringMatching(/^lkp_[0-9A-Za-z]{45}$/),
    })
    const { id, token } = created.body
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

  it('can have a custom value', async () => {
    const token = newCustomValue()
    const created = await create({ name: 'custom', token })
    expect(created.body.token).toBe(token)
    expect((await me(token)).body.id).toBe(person.user.id)
    expect((await me(`${token}x`)).status).toBe(401)
    await service.client('DELETE', `${path}/${created.body.id}`, { bearer: person.bearer })
    expect((await me(token)).status).toBe(401)
  })

  it('with a custom value belongs to one user, even after concurrent requests, and becomes available once deleted', async () => {
    const other = await addSignedIn(service)
    const token = newCustomValue()
    const answers = await Promise.all([
      create({ name: 'a', token }),
      create({ name: 'b', token }, other.bearer),
      create({ name: 'c', token }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.detail).not.toMatch(/\b(user|owner|somebody|taken)\b/i)
    const winner = answers.findIndex(({ status }) => status === 201)
    const owner = winner === 1 ? other : person
    expect((await me(token)).body.id).toBe(owner.user.id)
    await service.client('DELETE', `${path}/${answers[winner]?.body.id}`, { bearer: owner.bearer })
    const third = await addSignedIn(service)
    expect((await create({ name: 'd', token }, third.bearer)).status).toBe(201)
    expect((await me(token)).body.id).toBe(third.user.id)
  })

  it.each([
    ['too short', randomBytes(12).toString('hex')],
    ['one repeated letter', 'a'.repeat(64)],
    ['a sequence of letters and digits', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['made of words', 'correct-horse-battery-staple-again-and-so-on'],
    ['a repeated string', 'x7Qp2m'.repeat(10)],
    ['made of digits only', '31415926535897932384626433832795'],
    ['a string with a space', `${'Zk3'.repeat(12)} x`],
    ['formatted like a generated API token', `lkp_${randomBytes(32).toString('hex')}`],
    ['formatted like a session credential', `lks_${randomBytes(32).toString('hex')}`],
    ['too long', randomBytes(800).toString('base64url')],
  ])('is rejected if its custom value is %s', async (_, token) => {
    const answer = await create({ name: 'bad', token })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(1)
    expect(answer.body.errors[0].field).toBe('token')
    expect(answer.text).not.toContain(token)
  })

  it('can have a value with every character of a bearer credential', async () => {
    const random = (bytes: number) => randomBytes(bytes).toString('base64')
    for (const token of [
      `+/${random(31)}`,
      `${random(32)}`,
      `${random(30)}====`,
      `~${random(30).replaceAll('=', '')}-._+/`,
      `/${random(30)}`,
      `+${random(750).slice(0, 1020)}==`,
    ]) {
      const created = await create({ name: 'base64', token })
      expect([created.status, created.body.token]).toEqual([201, token])
      expect((await me(token)).body.id).toBe(person.user.id)
      for (const near of [`${token}=`, token.replace(/=$/, ''), token.replace(/[+/]/, '-'), `${token}+`])
        if (near !== token) expect((await me(near)).status).toBe(401)
    }
  })

  it.each([
    ['padding in the middle', `${'aZ3'.repeat(10)}=${randomBytes(24).toString('hex')}`],
    ['padding in front', `=${randomBytes(24).toString('base64url')}`],
    ['nothing but padding', '='.repeat(40)],
    ['a comma', `${randomBytes(24).toString('base64url')},x`],
    ['a percent sign', `${randomBytes(24).toString('base64url')}%2B`],
    ['a quote', `${randomBytes(24).toString('base64url')}"`],
    ['a line break', `${randomBytes(24).toString('base64url')}\n`],
    ['a letter outside of ASCII', `${randomBytes(24).toString('base64url')}é`],
    ['too little in front of its padding', `${randomBytes(9).toString('base64url')}${'='.repeat(30)}`],
  ])('is rejected with an error that names the field if its value has %s', async (_, token) => {
    const answer = await create({ name: 'bad', token })
    expect([answer.status, answer.body.errors.length]).toEqual([400, 1])
    expect(answer.body.errors[0].field).toBe('token')
    expect(answer.body.errors[0].message).toMatch(/must contain only letters|too easy to guess/)
  })

  it('can have a random hexadecimal or base64 value', async () => {
    for (const token of [
      randomBytes(20).toString('hex'),
      randomBytes(24).toString('base64url'),
      randomBytes(500).toString('hex'),
    ])
      expect((await create({ name: 'good', token })).status).toBe(201)
  })

  it('requires a name, and is limited to 100 for each user, even for concurrent requests', async () => {
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

describe('an API token', () => {
  it('cannot create API tokens, change passwords or second factors, or impersonate', async () => {
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

  it('has the permissions of its user, and stops working when the user is disabled', async () => {
    const { token } = (await create()).body
    expect((await service.client('GET', '/api/2/users/1', { bearer: token })).status).toBe(403)
    await editUser(service.services.table, await storedUser(), { permissions: ['users:view'] })
    expect((await service.client('GET', '/api/2/users/2147483647', { bearer: token })).status).toBe(404)
    await editUserEndingSessions(service.services.table, await storedUser(), {})
    expect((await me(token)).status).toBe(200)
    await editUser(service.services.table, await storedUser(), { is_enabled: false })
    expect((await me(token)).status).toBe(401)
  })

  it('invalidates its tickets when it is deleted', async () => {
    const created = (await create()).body
    const ticket = async () =>
      (await service.client('POST', '/api/2/auth/ticket', { bearer: created.token })).body.ticket
    const check = async (value: string) =>
      (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: value } })).status
    expect(await check(await ticket())).toBe(200)
    const late = await ticket()
    await service.client('DELETE', `${path}/${created.id}`, { bearer: person.bearer })
    expect(await check(late)).toBe(404)
  })

  it('neither ends by a logout nor ends a session', async () => {
    const { token } = (await create()).body
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: token })).status).toBe(204)
    expect((await me(token)).status).toBe(200)
  })
})

describe('an API token of another user', () => {
  it('cannot be seen, renamed, or deleted without naming its owner, even by administrators', async () => {
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

  it('is listed and deleted by administrators who name the owner, with an audit event', async () => {
    const { token, ...created } = (await create()).body
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const call = (method: string, at: string) => service.client(method, at, { bearer: admin.bearer })
    const list = await call('GET', `${path}?user=${person.user.id}`)
    expect(list.body).toEqual([created])
    expect((await call('GET', `${path}/${created.id}?user=${person.user.id}`)).body).toEqual(created)
    expect((await call('GET', `${path}/${created.id}?user=${admin.user.id}`)).status).toBe(404)
    expect((await call('DELETE', `${path}/${created.id}?user=${admin.user.id}`)).status).toBe(404)
    expect((await call('DELETE', `${path}/${created.id}?user=2147483647`)).status).toBe(404)
    expect((await me(token)).status).toBe(200)
    expect((await call('DELETE', `${path}/${created.id}?user=${person.user.id}`)).status).toBe(204)
    expect((await me(token)).status).toBe(401)
    expect((await call('GET', `${path}?user=2147483647`)).body).toEqual([])
    const events = await call(
      'GET',
      `/api/2/auth/audit-events?event=api_token.deleted&user=${person.user.id}`,
    )
    expect(events.body).toMatchObject([{ actor: admin.user.id, target: String(created.id) }])
  })

  it.each([
    ['a user without permissions', []],
    ['a user manager', ['users:manage', 'users:view']],
  ])('cannot be listed or deleted by %s', async (_, permissions) => {
    const { id, token } = (await create()).body
    const { bearer } = await addSignedIn(service, { permissions })
    // Nothing distinguishes users and tokens that exist from those that do not.
    for (const [owner, token] of [
      [person.user.id, id],
      [person.user.id, 2147483647],
      [2147483647, id],
    ])
      for (const [method, at] of [
        ['GET', `${path}?user=${owner}`],
        ['GET', `${path}/${token}?user=${owner}`],
        ['DELETE', `${path}/${token}?user=${owner}`],
      ] as const) {
        const { status, body } = await service.client(method, at, { bearer })
        expect([status, body.code], `${method} ${at}`).toEqual([403, 'permission_denied'])
      }
    expect((await me(token)).status).toBe(200)
  })
})

describe('an administrator who deletes an API token of another user', () => {
  it('succeeds once of five concurrent attempts, and the owner gets one email without name and value', async () => {
    const email = `owner-${randomBytes(6).toString('hex')}@example.com`
    const owner = await addSignedIn(service, { email })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    // An owner who deletes a token of their own gets no email.
    const own = (await create({ name: 'own' }, owner.bearer)).body
    const remove = ({ bearer }: SignedInPerson, id: number) =>
      service.client('DELETE', `${path}/${id}?user=${owner.user.id}`, { bearer })
    expect((await remove(owner, own.id)).status).toBe(204)
    const { id, token } = (await create({ name: 'nightly export' }, owner.bearer)).body
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(admin, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
    const isNotice = ({ subject }: ReceivedMail) =>
      subject === 'An administrator deleted an API token of yours – Latchkey'
    const { text } = await service.mailbox.mailTo(email, isNotice)
    await awaitMails(service)
    expect(service.mailbox.mailsTo(email).filter(isNotice)).toHaveLength(1)
    expect(text).toContain('By: an administrator')
    for (const hidden of ['nightly export', token, '/secure']) expect(text).not.toContain(hidden)
  })
})

describe('the list of API tokens', () => {
  it('contains only the caller’s tokens, filtered by exact name, ordered, and paged', async () => {
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
    const next = findNextPath(first.headers) ?? ''
    const rest = await service.client('GET', next, { bearer: person.bearer })
    expect([...first.body, ...rest.body]).toEqual((await list()).body)
    for (const query of [
      '?ordering=token',
      '?ordering=hash',
      '?limit=0',
      '?limit=-1',
      '?offset=x',
      '?user=0',
      '?user=me',
    ])
      expect((await list(query)).status).toBe(400)
  })

  it('renames tokens by PUT and PATCH, and accepts a body as it was returned', async () => {
    const { token, ...created } = (await create()).body
    const { id } = created
    const change = (method: string, body: object) =>
      service.client(method, `${path}/${id}`, { bearer: person.bearer, body })
    expect((await change('PUT', { id, name: 'put' })).body).toEqual({ ...created, name: 'put' })
    expect((await change('PATCH', { name: 'patched' })).body).toEqual({ ...created, name: 'patched' })
    expect((await change('PATCH', {})).body).toEqual({ ...created, name: 'patched' })
    expect((await change('PUT', created)).body).toEqual(created)
    expect((await change('PUT', {})).status).toBe(400)
    for (const body of [
      { name: 'x', token: 'y'.repeat(40) },
      { name: 'x', userId: 1 },
      { name: 'x', hash: 'y' },
    ])
      expect((await change('PUT', body)).status).toBe(400)
  })
})

describe('using an API token', () => {
  const lastLine = () => JSON.parse(service.log.at(-1) ?? '{}')

  it('takes one table call, also with a custom value once its owner is cached', async () => {
    const { token } = (await create()).body
    await me(token)
    await me(token)
    expect(lastLine()).toMatchObject({ operation: 'get_current_user', table_calls: 1 })
    const value = newCustomValue()
    await create({ name: 'custom', token: value })
    await me(value)
    await me(value)
    expect(lastLine()).toMatchObject({ operation: 'get_current_user', table_calls: 1 })
  })

  it('updates the time of last use at most once an hour, and never stores or logs the value', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { token } = (await create()).body
    const readStored = async () =>
      (await service.services.table.list(userKey(person.user.id).pk, apiTokenPrefix))[0]
    await me(token)
    expect((await readStored())?.['lastUsedAt']).toBe(now)
    vi.setSystemTime(now + 3_599_999)
    await me(token)
    expect((await readStored())?.['lastUsedAt']).toBe(now)
    vi.setSystemTime(now + 3_600_000)
    await me(token)
    expect((await readStored())?.['lastUsedAt']).toBe(now + 3_600_000)
    expect(JSON.stringify(await readStored())).not.toContain(token)
    expect(service.log.join('')).not.toContain(token)
  })
})
