import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { updateUserLastSeen } from '../../lib/accounts/users/last-seen.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { invitationLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { userListing } from '../../lib/kernel/table/keys/listing-keys.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import type { Json } from '../support/client.ts'
import { acceptInvitation, createInvited, invite, readInvitationToken } from '../support/invitations.ts'
import { addLink } from '../support/links.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const usual = await addSignedIn(service, { permissions: ['system:admin-access'], username: 'admin' })
let admin: SignedInPerson = usual
afterEach(() => {
  vi.useRealTimers()
  // Sessions from the future have ended.
  admin = usual
})

const send = (method: string, path: string, body?: object) =>
  service.client(method, path, { bearer: admin.bearer, body })
const list = (query: Record<string, string>) => send('GET', `/api/2/users?${new URLSearchParams(query)}`)
const names = async (query: Record<string, string>): Promise<readonly string[]> => {
  const answer = await list(query)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map((row: Json) => row['username'])
}
/** Stores the entry of a user as for very long names: it carries nothing, so that the record decides. */
const storeBareEntry = async (userId: number): Promise<void> => {
  const item = await service.services.table.get(userKey(userId))
  await service.services.table.put({ ...item, ...userKey(userId), ...userListing(userId) })
}
const createNamed = (prefix: string, fields: object = {}) =>
  createInvited(service, admin.bearer, { username: `${prefix}-${randomUUID().slice(0, 8)}`, ...fields })

describe('the filter email_state', () => {
  beforeAll(async () => {
    await addPerson(service, { username: 'mail-verified', email: 'verified@example.com' })
    await addPerson(service, { username: 'mail-claimed', email: 'claimed@example.com', emailVerified: false })
    await addPerson(service, { username: 'mail-missing', email: null })
    const early = await addPerson(service, {
      username: 'mail-early',
      email: 'early@example.com',
      emailVerified: false,
    })
    await storeBareEntry(early.user.id)
  })

  it.each([
    ['verified', ['mail-verified']],
    ['unverified', ['mail-claimed', 'mail-early']],
    ['none', ['mail-missing']],
  ])('%s finds %j, in every order and page by page', async (email_state, found) => {
    const query = { filter: 'mail-', email_state }
    expect(await names(query)).toEqual(found)
    expect(await names({ ...query, ordering: '-username' })).toEqual(found.toSorted().reverse())
    expect(
      await names({ ...query, is_enabled: 'true', limit: '1', offset: String(found.length - 1) }),
    ).toEqual(found.slice(-1))
  })

  it('agrees with email_verified of every user, also of guests, and of those who confirm their address', async () => {
    await addLink(service, admin.bearer, { email: 'guest@example.com' })
    const { user } = await addPerson(service, { email: 'confirms@example.com', emailVerified: false })
    const expectAgreement = async () => {
      const all = (await list({})).body
      for (const [email_state, matches] of [
        ['verified', (one: Json) => one['email_verified']],
        ['unverified', (one: Json) => one['email'] !== null && !one['email_verified']],
        ['none', (one: Json) => one['email'] === null],
      ] as const)
        expect(await names({ email_state }), email_state).toEqual(
          all.filter(matches).map(({ username }: Json) => username),
        )
    }
    await expectAgreement()
    await editUser(service.services.table, user, { emailVerified: undefined, verifiedBy: 'link' })
    expect(await names({ email_state: 'verified' })).toContain(user.username)
    await expectAgreement()
  })

  it('finds a guest who becomes a member of a group as verified', async () => {
    const [guest] = (await list({ email_state: 'unverified', filter: 'guest@example.com' })).body
    expect(guest).toMatchObject({ email_verified: false })
    await send('POST', '/api/2/groups', { name: 'Members', members: [{ id: guest.id }] })
    const shown = (await send('GET', `/api/2/users/${guest.id}`)).body
    const state = shown.email_verified ? 'verified' : 'unverified'
    expect(await names({ email_state: state, filter: 'guest@example.com' })).toEqual([shown.username])
  })
})

describe('the filter invitation', () => {
  it('follows an invitation that is sent, accepted, revoked and sent again', async () => {
    const password = 'violet tractor under nine moons'
    const [waiting, accepting, revoked] = [
      await createNamed('inv'),
      await createNamed('inv'),
      await createNamed('inv'),
    ]
    const find = (invitation: string) => names({ filter: 'inv-', invitation })
    const nameOf = ({ user }: typeof waiting) => user['username']
    expect(await find('pending')).toEqual([waiting, accepting, revoked].map(nameOf))
    expect((await acceptInvitation(service, accepting.token, password)).status).toBe(200)
    expect((await send('DELETE', `/api/2/users/${revoked.user['id']}/invite`)).status).toBe(204)
    expect(await find('pending')).toEqual([nameOf(waiting)])
    expect(await find('accepted')).toEqual([nameOf(accepting)])
    expect(await find('expired')).toEqual([])
    expect((await invite(service, admin.bearer, revoked.user['id'])).status).toBe(200)
    expect(await find('pending')).toEqual([nameOf(waiting), nameOf(revoked)])
    // The lifetime begins when the email is sent.
    await readInvitationToken(service, revoked.user['email'], revoked.token)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + invitationLifetimeMs })
    admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect(await find('pending')).toEqual([])
    expect(await find('expired')).toEqual([nameOf(waiting), nameOf(revoked)])
  })

  it('finds a user who is renamed while they are invited', async () => {
    for (let round = 0; round < 4; round++) {
      const email = `${randomUUID()}@example.com`
      const { user } = await addPerson(service, { username: `race-${round}`, email, passwordHash: null })
      const rename = (text: string) => send('PATCH', `/api/2/users/${user.id}`, { full_name: text })
      const [invited, ...renamed] = await Promise.all([
        invite(service, admin.bearer, user.id),
        rename(`First ${round}`),
        rename(`Second ${round}`),
      ])
      expect([200, 409]).toContain(invited.status)
      for (const { status } of renamed) expect([200, 409]).toContain(status)
      const { invitation, full_name } = (await send('GET', `/api/2/users/${user.id}`)).body
      const query = { filter: full_name ?? `race-${round}`, filtering_mode: 'exact' }
      expect(await names(query)).toEqual([`race-${round}`])
      expect(await names({ ...query, invitation: 'pending' })).toEqual(invitation ? [`race-${round}`] : [])
    }
  })
})

describe('filters that the record of a user answers', () => {
  beforeAll(async () => {
    const { table } = service.services
    const seenDaysAgo = async (username: string, days: number, fields: object = {}) => {
      const { user } = await addPerson(service, { username, ...fields })
      await updateUserLastSeen(table, user, Date.now() - days * 24 * 60 * 60_000)
      return user
    }
    await seenDaysAgo('rec-today', 0, { permissions: ['users:view'] })
    await seenDaysAgo('rec-old', 100)
    await addPerson(service, { username: 'rec-never' })
    const person = await addSignedIn(service, { username: 'rec-factor' })
    await enableSecondFactor(service, person)
    const link = await addLink(service, admin.bearer, { email: 'rec-guest@example.com' })
    expect(link.id).toBeDefined()
  })
  const find = (query: Record<string, string>) => names({ filter: 'rec-', ordering: 'username', ...query })

  it.each<[Record<string, string>, readonly string[]]>([
    [{ has_second_factor: 'true' }, ['rec-factor']],
    [{ has_second_factor: 'false', is_guest: 'false' }, ['rec-never', 'rec-old', 'rec-today']],
    [{ not_seen_for_days: '90', is_guest: 'false' }, ['rec-never', 'rec-old']],
    [{ not_seen_for_days: '101', is_guest: 'false' }, ['rec-never']],
    [{ permission: 'users:view' }, ['rec-today']],
    [{ permission: 'users' }, []],
    [{ permission: 'users:view', has_second_factor: 'true' }, []],
  ])('%j finds %j, also page by page and by ID', async (query, found) => {
    expect(await find(query)).toEqual(found)
    expect((await find({ ...query, ordering: 'id' })).toSorted()).toEqual(found)
    const pages = await Promise.all(found.map((_, at) => find({ ...query, limit: '1', offset: String(at) })))
    expect(pages.flat()).toEqual(found)
  })

  it('permission finds members of a group that gives it, until the group or the user changes', async () => {
    const add = (username: string, fields: object = {}) => addPerson(service, { username, ...fields })
    const permission = 'reports:view'
    await add('holds-directly', { permissions: [permission] })
    const [member, other] = [await add('holds-by-group'), await add('holds-nothing')]
    const create = async (permissions: readonly string[], id: number) => {
      const body = { name: `Group ${randomUUID()}`, permissions, members: [{ id }] }
      return (await send('POST', '/api/2/groups', body)).body.id
    }
    const giving = await create([permission], member.user.id)
    await create(['reports:edit'], other.user.id)
    const both = ['holds-by-group', 'holds-directly']
    expect(await names({ permission, ordering: 'username' })).toEqual(both)
    expect(await names({ permission, ordering: '-id' })).toEqual(both)
    expect(await names({ permission, filter: 'holds-', is_enabled: 'true' })).toEqual(both.toReversed())
    expect(await names({ permission, limit: '1', offset: '1' })).toEqual(['holds-by-group'])
    expect(await names({ permission, groups: String(giving) })).toEqual(['holds-by-group'])
    expect(await names({ permission, username: 'holds-by-group' })).toEqual(['holds-by-group'])
    expect(await names({ permission, username: 'holds-nothing' })).toEqual([])
    expect((await send('PATCH', `/api/2/groups/${giving}`, { permissions: [] })).status).toBe(200)
    expect(await names({ permission })).toEqual(['holds-directly'])
  })

  it('is_guest finds the guests of links apart from people', async () => {
    const { body } = await list({ is_guest: 'true' })
    expect(body.map((row: Json) => row['email'])).toContain('rec-guest@example.com')
    expect(await names({ is_guest: 'true' })).not.toContain('rec-old')
  })

  it.each([
    'has_second_factor=x',
    'is_guest=',
    'not_seen_for_days=0',
    'not_seen_for_days=3651',
    'permission=',
  ])('rejects %s', async (query) => {
    expect((await send('GET', `/api/2/users?${query}`)).status).toBe(400)
  })
})

it.each(['email_state=', 'email_state=true', 'invitation=none', 'invitation=pending&invitation=expired'])(
  'rejects %s',
  async (query) => {
    expect((await send('GET', `/api/2/users?${query}`)).status).toBe(400)
  },
)
