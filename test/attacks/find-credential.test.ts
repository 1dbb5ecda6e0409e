import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { addLink } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Administrators find out whose credential a value is. Nobody else may learn it, and the value must be nowhere afterwards. */

const service = await useService({ RATE_LIMITS: 'lookUpFailures=20/600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const owner = await addSignedIn(service, { permissions: ['media:access'] })
const post = (path: string, body: object, bearer = owner.bearer) =>
  service.client('POST', `/api/2/${path}`, { body, bearer })
const find = (value: string, bearer = admin.bearer) => post('auth/find-credential', { value }, bearer)
const whose = { user: owner.user.id, user_name: owner.user.username }

it('finds each kind by its value, also within a text, and an API token by its beginning', async () => {
  const made = (await post('api-tokens', { name: 'Build' })).body
  const link = await addLink(service, owner.bearer, {})
  const chosen = randomBytes(32).toString('base64url')
  const custom = (await post('api-tokens', { name: 'Mine', token: chosen })).body
  const { ticket } = (await post('auth/ticket', {})).body
  const built = { kind: 'api_token', id: made.id, name: 'Build', ...whose }
  expect((await find(made.token)).body).toEqual(built)
  expect((await find(`Authorization: Bearer ${made.token}\n`)).body).toEqual(built)
  expect((await find(made.token.slice(0, 14))).body).toEqual({ ...built, id: null, name: null })
  expect((await find(chosen)).body).toMatchObject({ kind: 'api_token', id: custom.id })
  expect((await find(link.full_url)).body).toMatchObject({ kind: 'access_token', id: link.id, ...whose })
  expect((await find(owner.bearer)).body).toMatchObject({ kind: 'session', ...whose })
  expect((await find(ticket)).body).toMatchObject({ kind: 'auth_ticket', id: null, ...whose })
  const events = await service.client('GET', '/api/2/auth/audit-events?limit=100', { bearer: admin.bearer })
  for (const value of [made.token, chosen, owner.bearer])
    expect(JSON.stringify([events.body, service.log])).not.toContain(value)
})

it('tells nobody else, counts guesses, and does not compare a value that only begins like another', async () => {
  const { token } = (await post('api-tokens', { name: 'Other' })).body
  const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
  for (const bearer of [owner.bearer, manager.bearer, token])
    expect((await find(token, bearer)).status).toBe(403)
  const flipped = `${token.slice(0, -8)}${'0'.repeat(8)}`
  for (const value of [flipped, '__proto__', 'x'.repeat(4000), 'lkp_'])
    expect((await find(value)).status, value).toBe(404)
  for (const value of ['', 'x'.repeat(5000)]) expect((await find(value)).status).toBe(400)
  const statuses = []
  for (let at = 0; at < 22; at++) statuses.push((await find(`guess-${randomUUID()}`)).status)
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
})
