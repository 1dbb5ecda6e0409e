import { describe, expect, it } from 'vitest'
import {
  addLink,
  easySharing,
  getLink,
  linksPath,
  lookUp,
  objectId,
  postLink,
  redeem,
} from '../support/links.ts'
import { newAddress } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

/** Someone who may share but not view users. */
const attacker = await addSignedIn(service, { permissions: ['media:access'] })
const viewer = await addSignedIn(service, { permissions: ['media:access', 'users:view'] })

const addVictim = (fields: object = {}): Promise<Person> =>
  addPerson(service, { email: newAddress(), full_name: 'Ada Lovelace', ...fields })

/** All bodies of a link that its creator can read. */
const readAll = async (link: { id: number; token: string }) => [
  (await getLink(service, attacker.bearer, link.id)).body,
  (await service.client('GET', linksPath, { bearer: attacker.bearer })).body,
  (await getLink(service, attacker.bearer, link.id, '/permissions')).body,
  (await lookUp(service, link.token)).body,
]

describe('a creator who may not view users', () => {
  it('learns no name and no address of a user from a link to their ID', async () => {
    const { user } = await addVictim()
    const link = await addLink(service, attacker.bearer, { user: user.id })
    expect(link.user).toMatchObject({ id: user.id, email: null, full_name: null })
    const seen = JSON.stringify([link, ...(await readAll(link))])
    for (const secret of [user.username, user.email, user.full_name]) expect(seen).not.toContain(secret)
  })

  it('gets the same answers for addresses with and without an account', async () => {
    const accounts = [await addVictim(), await addVictim({ is_enabled: false })]
    const emails = [newAddress(), ...accounts.map(({ user }) => user.email ?? '')]
    const answers = []
    for (const email of emails) {
      const id = objectId()
      const created = await postLink(service, attacker.bearer, { ...easySharing(id), email })
      const again = await postLink(service, attacker.bearer, { ...easySharing(id), email })
      expect(again.body.id).toBe(created.body.id)
      const all = [created.body, again.body, (await getLink(service, attacker.bearer, created.body.id)).body]
      expect(created.body.user.email).toBe(email)
      const { user, created_at, shared_bundles, token, full_url, media_root_permissions, ...rest } =
        created.body
      expect(all.map((body) => body.user)).toEqual([user, user, user])
      answers.push({
        statuses: [created.status, again.status],
        user: { ...user, id: 0, username: user.username.length, email: '', display_name: '' },
        roots: media_root_permissions.length,
        rest: { ...rest, id: 0, is_easy_sharing_for_bundle: 0 },
      })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('gets IDs that do not show who had an account before', async () => {
    const { user } = await addVictim()
    const unknown = await addLink(service, attacker.bearer, { email: newAddress() })
    const known = await addLink(service, attacker.bearer, { email: user.email })
    expect(known.user.id).toBeGreaterThan(unknown.user.id)
    const again = await addLink(service, attacker.bearer, { email: user.email })
    expect(again.user.id).toBe(known.user.id)
    const byId = await service.client('GET', `${linksPath}?user=${user.id}`, { bearer: attacker.bearer })
    expect(byId.body).toEqual([])
    expect((await lookUp(service, known.token, `?user=${user.id}`)).status).toBe(404)
  })

  it('needs no more table calls for an address with an account', async () => {
    const { user } = await addVictim()
    const measure = async (email: string | null): Promise<number> => {
      const start = service.log.length
      await addLink(service, attacker.bearer, { email })
      const lines = service.log.slice(start).map((line) => JSON.parse(line))
      return lines.findLast(({ event }) => event === 'request').table_calls
    }
    // Some requests take a new block of IDs, and cost more for that.
    const costs = { unknown: Number.POSITIVE_INFINITY, known: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 3 || (round < 20 && costs.known !== costs.unknown); round++) {
      costs.unknown = Math.min(costs.unknown, await measure(newAddress()))
      costs.known = Math.min(costs.known, await measure(user.email))
    }
    expect(costs.known).toBe(costs.unknown)
  })

  it('creates one guest for an account by 10 concurrent links', async () => {
    const { user } = await addVictim()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postLink(service, attacker.bearer, { email: user.email })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })
})

describe('a link to the address of an account', () => {
  it('opens for the account alone, which sees it with its own name', async () => {
    const recipient = await addSignedIn(service, { email: newAddress() })
    const link = await addLink(service, attacker.bearer, { email: recipient.user.email })
    expect((await redeem(service, link.token)).status).toBe(401)
    expect((await redeem(service, link.token, { bearer: viewer.bearer })).status).toBe(403)
    expect((await redeem(service, link.token, { bearer: recipient.bearer })).status).toBe(200)
    const listed = await service.client('GET', linksPath, { bearer: recipient.bearer })
    expect(listed.body.map(({ id, user }: typeof link) => [id, user.id])).toEqual([
      [link.id, recipient.user.id],
    ])
    const found = await service.client('GET', `${linksPath}/get/${link.token}`, { bearer: recipient.bearer })
    expect(found.body.user.id).toBe(recipient.user.id)
  })

  it('shows the account to those who may view users', async () => {
    const { user } = await addVictim()
    const link = await addLink(service, viewer.bearer, { email: user.email })
    expect(link.user).toMatchObject({ id: user.id, email: user.email, username: user.username })
    expect(link.require_login).toBe(true)
  })
})
