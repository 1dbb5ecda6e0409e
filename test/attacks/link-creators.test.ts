import { afterEach, describe, expect, it, vi } from 'vitest'
import { addLink, getLink, linksPath, lookUp, redeem } from '../support/links.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A creator loses the right to share. Their links, and the sessions that were opened with them, must end with it. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => vi.useRealTimers())

const callAsAdmin = async (method: string, path: string, body: object) => {
  const answer = await service.client(method, `/api/2${path}`, { bearer: admin.bearer, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}
const patchUser = ({ user }: SignedInPerson, body: object) => callAsAdmin('PATCH', `/users/${user.id}`, body)
const patchGroup = (id: number, body: object) => callAsAdmin('PATCH', `/groups/${id}`, body)

interface Creator {
  readonly person: SignedInPerson
  /** The group that gives them the permission, if it is not their own. */
  readonly group: number
}

const addByPermission = async (): Promise<Creator> => ({
  person: await addSignedIn(service, { permissions: ['media:access'] }),
  group: 0,
})
const addByGroup = async (): Promise<Creator> => {
  const name = `sharers-${Math.random()}`
  const { id } = await callAsAdmin('POST', '/groups', { name, permissions: ['media:access'] })
  const person = await addSignedIn(service)
  await patchUser(person, { groups: [id] })
  return { person, group: id }
}

const ways = [
  {
    name: 'is disabled',
    add: addByPermission,
    lose: ({ person }: Creator) => patchUser(person, { is_enabled: false }),
    regain: ({ person }: Creator) => patchUser(person, { is_enabled: true }),
  },
  {
    name: 'expires',
    add: addByPermission,
    lose: ({ person }: Creator) => patchUser(person, { expiry: '2020-01-01T00:00:00Z' }),
    regain: ({ person }: Creator) => patchUser(person, { expiry: null }),
  },
  {
    name: 'loses the permission media:access',
    add: addByPermission,
    lose: ({ person }: Creator) => patchUser(person, { permissions: ['users:view'] }),
    regain: ({ person }: Creator) => patchUser(person, { permissions: ['media:access'] }),
  },
  {
    name: 'leaves the group with the permission',
    add: addByGroup,
    lose: ({ person }: Creator) => patchUser(person, { groups: [] }),
    regain: ({ person, group }: Creator) => patchUser(person, { groups: [group] }),
  },
  {
    name: 'is in a group that loses the permission',
    add: addByGroup,
    lose: ({ group }: Creator) => patchGroup(group, { permissions: [] }),
    regain: ({ group }: Creator) => patchGroup(group, { permissions: ['media:access'] }),
  },
]

const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const createTicket = async (bearer: string) =>
  (await service.client('POST', '/api/2/auth/ticket', { bearer, body: {} })).body
const checkTicket = async (body: object) =>
  (await service.client('POST', '/api/2/auth/ticket/check', { body })).status
const sendEmail = async (id: number, email: string) =>
  (await service.client('POST', `${linksPath}/${id}/email`, { bearer: admin.bearer, body: { email } })).status

describe.each(ways)('a link whose creator $name', ({ add, lose, regain }) => {
  it('ends for guests and members, with its sessions and tickets, until the creator may share again', async () => {
    const creator = await add()
    const member = await addSignedIn(service)
    const forGuest = await addLink(service, creator.person.bearer)
    const forMember = await addLink(service, creator.person.bearer, { user: member.user.id })
    const open = async (): Promise<readonly string[]> => [
      (await redeem(service, forGuest.token)).body.session_key,
      (await redeem(service, forMember.token, { bearer: member.bearer })).body.session_key,
    ]
    const sessions = await open()
    const tickets = await Promise.all(sessions.map(createTicket))

    await lose(creator)
    for (const link of [forGuest, forMember]) {
      expect((await lookUp(service, link.token)).status).toBe(404)
      const redeemed = await redeem(service, link.token, { bearer: member.bearer })
      expect([redeemed.status, redeemed.body.code]).toEqual([404, 'not_found'])
      expect((await getLink(service, admin.bearer, link.id, '/permissions')).body).toEqual([])
      expect((await getLink(service, admin.bearer, link.id)).body.media_root_permissions).toEqual([])
      expect(await sendEmail(link.id, 'someone@example.com')).toBe(409)
    }
    for (const session of sessions) expect(await me(session)).toBe(401)
    for (const ticket of tickets) expect(await checkTicket(ticket)).toBe(404)
    expect(await me(member.bearer)).toBe(200)

    await regain(creator)
    for (const link of [forGuest, forMember]) {
      expect((await lookUp(service, link.token)).status).toBe(200)
      expect((await getLink(service, admin.bearer, link.id, '/permissions')).body).toHaveLength(1)
      expect((await getLink(service, admin.bearer, link.id)).body.media_root_permissions).toHaveLength(1)
    }
    for (const session of [...sessions, ...(await open())]) expect(await me(session)).toBe(200)
  })
})

it('leaves no working session when 20 concurrent requests redeem the link of a creator who is disabled', async () => {
  const { person } = await addByPermission()
  const link = await addLink(service, person.bearer)
  const [, ...answers] = await Promise.all([
    patchUser(person, { is_enabled: false }),
    ...Array.from({ length: 20 }, () => redeem(service, link.token)),
  ])
  for (const { status, body } of answers) {
    expect([200, 404]).toContain(status)
    if (status === 200) expect(await me(body.session_key)).toBe(401)
  }
})

it('keeps the links of other creators for the same object and recipient', async () => {
  const [{ person: losing }, { person: other }] = [await addByPermission(), await addByPermission()]
  const email = `guest-${Math.random()}@example.com`
  const [ended, kept] = [
    await addLink(service, losing.bearer, { email }),
    await addLink(service, other.bearer, { email }),
  ]
  const session = (await redeem(service, kept.token)).body.session_key
  await patchUser(losing, { permissions: [] })
  expect((await lookUp(service, ended.token)).status).toBe(404)
  expect((await lookUp(service, kept.token)).status).toBe(200)
  expect(await me(session)).toBe(200)
})

it('ends the links of a creator at the millisecond at which their account expires', async () => {
  const { person } = await addByPermission()
  const link = await addLink(service, person.bearer)
  const session = (await redeem(service, link.token)).body.session_key
  const expiry = Date.now() + 60_000
  await patchUser(person, { expiry: new Date(expiry).toISOString() })
  vi.useFakeTimers({ toFake: ['Date'], now: expiry - 1 })
  expect([(await lookUp(service, link.token)).status, await me(session)]).toEqual([200, 200])
  vi.setSystemTime(expiry)
  expect([(await lookUp(service, link.token)).status, await me(session)]).toEqual([404, 401])
})
