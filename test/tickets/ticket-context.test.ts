import { afterEach, expect, it, vi } from 'vitest'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addLink, redeem } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, {
  username: 'The.Admin',
  permissions: ['system:admin-access', 'media:access'],
})
afterEach(() => vi.useRealTimers())

const create = async (bearer: string, body: object = {}): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.ticket
}
const check = (ticket: string, fields: object = { include: ['context'] }) =>
  service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, ...fields } })
const contextOf = async (bearer: string) => {
  const answer = await check(await create(bearer))
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.context
}

it('reports when and how the user signed in, and only on request', async () => {
  const at = Date.now() - 5000
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  const { bearer, user } = await addSignedIn(service)
  vi.setSystemTime(at + 5000)
  const ticket = await create(bearer)
  const answer = await check(ticket)
  expect(answer.body).toMatchObject({ id: user.id })
  expect(answer.body.context).toEqual({
    credential: 'session',
    authenticated_at: new Date(at).toISOString(),
    methods: ['pwd'],
    impersonator: null,
    access_token: null,
    access_link: null,
  })
  for (const fields of [{}, { include: [] }])
    expect((await check(await create(bearer), fields)).body).not.toHaveProperty('context')
})

it('names the administrator who impersonates the user, and when the administrator signed in', async () => {
  const other = await addPerson(service)
  const own = await contextOf(admin.bearer)
  await service.client('POST', '/api/2/auth/impersonation', {
    bearer: admin.bearer,
    body: { user: other.user.id },
  })
  const answer = await check(await create(admin.bearer))
  expect(answer.body).toMatchObject({ id: other.user.id, username: other.user.username })
  expect(answer.body.context).toEqual({
    ...own,
    impersonator: { id: admin.user.id, username: 'The.Admin' },
  })
  await service.client('POST', '/api/2/auth/impersonation/stop', { bearer: admin.bearer })
  expect((await contextOf(admin.bearer)).impersonator).toBeNull()
})

it('reports an API token without a sign-in', async () => {
  const created = await service.client('POST', '/api/2/api-tokens', {
    bearer: admin.bearer,
    body: { name: 'script' },
  })
  expect(await contextOf(created.body.token)).toEqual({
    credential: 'api_token',
    authenticated_at: null,
    methods: [],
    impersonator: null,
    access_token: null,
    access_link: null,
  })
})

it('names the access link that a guest came by', async () => {
  const link = await addLink(service, admin.bearer)
  const guest = await redeem(service, link.token)
  expect(await contextOf(guest.body.session_key)).toMatchObject({
    credential: 'session',
    methods: ['link'],
    access_token: link.id,
  })
})

it.each([[['everything']], ['context'], [{ context: true }], [null], [Array(1000).fill('context')]])(
  'rejects include %j and leaves the ticket unused',
  async (include) => {
    const ticket = await create(admin.bearer)
    expect((await check(ticket, { include })).status).toBe(400)
    expect((await check(ticket, {})).status).toBe(200)
  },
)

it('shows no other fields of the stored ticket', async () => {
  const answer = await check(await create(admin.bearer, { audience: 'https://shop.example.com' }), {
    audience: 'https://shop.example.com',
    include: ['context'],
  })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(hashCredential(admin.bearer))
  expect(answer.text).not.toContain('audience')
})
