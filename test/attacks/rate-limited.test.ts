import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { loopback, postFrom } from '../support/addressed-client.ts'
import type { JsonValue } from '../support/client.ts'
import { findNextPath } from '../support/next-page.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Administrators see who reached a rate limit, and can lift it. Neither may help attackers: a flood of refusals must not
 * cost more than before, what people typed in must not appear, and a stolen session of a manager must not make guessing
 * the password of an administrator possible.
 */

const path = '/api/2/rate-limited'
const service = await useService({
  RATE_LIMITS: 'passwordToolUses=2/600, accountFailures=3/600, addressFailures=6/600, otpGuesses=2/600',
})
const manager = await addSignedIn(service, { permissions: ['users:manage'] })
const viewer = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })

const list = async (query = '', bearer = viewer.bearer) =>
  (await service.client('GET', path + query, { bearer })).body
/** The index shows an entry after a moment. */
const find = async (query: string): Promise<JsonValue> => {
  await expect.poll(async () => (await list(query)).length).toBeGreaterThan(0)
  return (await list(query))[0]
}
const lift = (key: string, bearer = manager.bearer) => service.client('DELETE', `${path}/${key}`, { bearer })
const generate = (bearer: string) => service.client('POST', '/api/2/auth/generate-password', { bearer })
let nextAddress = 1
const guess = (person: Person | string, address = loopback(nextAddress++)) =>
  postFrom(address, `${service.url}/api/2/auth/login`, {
    username: typeof person === 'string' ? person : person.user.username,
    password: 'a wrong guess',
  })
const signInFrom = (address: string, { user, password }: Person) =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username: user.username, password })

/** The table calls of the latest requests of an operation. */
const callsOf = (operation: string): readonly number[] =>
  service.log
    .map((line) => JSON.parse(line))
    .filter((line) => line.event === 'request' && line.operation === operation)
    .map((line) => line.table_calls)

const exceed = async (person: SignedInPerson): Promise<void> => {
  for (const status of [200, 200, 429]) expect((await generate(person.bearer)).status).toBe(status)
}

describe('the list of limits', () => {
  it('shows the account, and its name only to callers who may read users', async () => {
    const person = await addSignedIn(service)
    await exceed(person)
    const query = `?user=${person.user.id}`
    const found = await find(query)
    expect(found).toEqual({
      key: expect.stringMatching(/^passwordToolUses-[\w-]{43}$/),
      name: 'passwordToolUses',
      user: person.user.id,
      user_name: person.user.username,
      network: null,
      access_token: null,
      since: expect.stringMatching(/^20/),
      until: expect.stringMatching(/^20/),
    })
    expect(Date.parse(found.until)).toBeGreaterThan(Date.now())
    expect(await list(query, manager.bearer)).toEqual([{ ...found, user_name: null }])
    expect(await list(`${query}&name=passwordToolUses`)).toEqual([found])
    expect(await list(`${query}&name=leakReports`)).toEqual([])
    const unknown = await service.client('GET', `${path}?name=__proto__`, { bearer: viewer.bearer })
    expect(unknown.status).toBe(400)
  })

  it('shows nothing that was typed in', async () => {
    const typed = `hunter2-${randomUUID()}`
    for (let at = 0; at < 3; at++) await guess(typed)
    const { user, key } = await find('?name=accountFailures')
    expect(user).toBeNull()
    expect(JSON.stringify(await list())).not.toContain('hunter2')
    expect((await lift(key)).status).toBe(204)
  })

  it('shows networks, and every page of it', async () => {
    const address = loopback(nextAddress++)
    for (let at = 0; at < 6; at++) await guess(`unknown-${randomUUID()}`, address)
    expect(await find('?name=addressFailures')).toMatchObject({ network: address, user: null })
    const all = await list()
    expect(all.length).toBeGreaterThan(1)
    const first = await service.client('GET', `${path}?limit=1`, { bearer: viewer.bearer })
    const next = findNextPath(first.headers) ?? ''
    const rest = (await service.client('GET', next, { bearer: viewer.bearer })).body
    expect([...first.body, ...rest][0]).toEqual(all[0])
    expect(rest.length).toBeGreaterThan(0)
  })
})

describe('a flood of refusals', () => {
  it('costs one more write in all, not one for each refusal', async () => {
    const person = await addSignedIn(service)
    await generate(person.bearer)
    const before = callsOf('generate_password').length
    for (let at = 0; at < 8; at++) await generate(person.bearer)
    const [, first = 0, ...others] = callsOf('generate_password').slice(before)
    expect(others).toEqual(others.map(() => first - 1))
    const entry = await find(`?user=${person.user.id}`)
    await generate(person.bearer)
    expect(await list(`?user=${person.user.id}`)).toMatchObject([{ since: entry.since }])
  })
})

describe('lifting a limit', () => {
  it('lets the account try again at once, and is recorded', async () => {
    const person = await addSignedIn(service)
    await exceed(person)
    const { key } = await find(`?user=${person.user.id}`)
    const answers = await Promise.all([lift(key), lift(key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await generate(person.bearer)).status).toBe(200)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const events = await service.client('GET', `/api/2/auth/audit-events?user=${person.user.id}`, {
      bearer: admin.bearer,
    })
    expect(events.body).toContainEqual(
      expect.objectContaining({
        event: 'rate_limit.lifted',
        actor: manager.user.id,
        target: 'passwordToolUses',
      }),
    )
    await exceed({ ...person, ...(await addSignedIn(service)) })
  })

  it('lets an account sign in that others locked', async () => {
    const person = await addPerson(service)
    for (let at = 0; at < 3; at++) await guess(person)
    const stranger = loopback(nextAddress++)
    expect((await signInFrom(stranger, person)).status).toBe(401)
    const { key } = await find(`?user=${person.user.id}&name=accountFailures`)
    expect((await lift(key)).status).toBe(204)
    expect((await signInFrom(stranger, person)).status).toBe(200)
  })

  it('needs the right to change the account, and a session', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (let at = 0; at < 3; at++) await guess(admin)
    const { key } = await find(`?user=${admin.user.id}`)
    expect((await lift(key)).status).toBe(403)
    const token = (
      await service.client('POST', '/api/2/api-tokens', { bearer: admin.bearer, body: { name: 'x' } })
    ).body.token
    expect((await lift(key, token)).status).toBe(403)
    expect(await list(`?user=${admin.user.id}`)).toHaveLength(1)
    expect((await lift(key, admin.bearer)).status).toBe(204)
  })

  it('does not reach counts below their limit', async () => {
    const person = await addSignedIn(service)
    await generate(person.bearer)
    const other = await addSignedIn(service)
    await exceed(other)
    const { key } = await find(`?user=${other.user.id}`)
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha256').update(String(person.user.id)).digest('base64url')
    expect((await lift(key.replace(/-.*$/, `-${hash}`))).status).toBe(404)
    for (const made of ['', '%00', 'constructor-x', `unknown-${hash}`, `${key}x`, 'a'.repeat(3000)])
      expect((await lift(made)).status, made).toBe(404)
  })
})
