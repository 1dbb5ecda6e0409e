import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findAccessLink } from '../../lib/features/access-links/records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { sessionKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Answer } from '../support/client.ts'
import { costsSince } from '../support/directory.ts'
import { bundle, deleteLink, getLink, linksPath, lookUp, postLink, redeem } from '../support/links.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* What attackers try with access links in the name of organizations. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const path = '/api/2/organizations'
const unknownId = 2_147_483_000
await call('PUT', '/api/2/organization-roles', {
  roles: [{ key: 'sharer', texts: { en: 'Sharer' }, permissions: ['org:links:manage'] }],
})

const found = async (): Promise<number> => {
  const slug = `o${randomUUID().slice(0, 12).replaceAll(/[01-]/g, '2')}`
  return (await call('POST', path, { name: 'Acme Studios', slug })).body.id
}
const join = async (
  id: number,
  roles: readonly string[],
  permissions: readonly string[] = ['media:access'],
): Promise<SignedInPerson> => {
  const person = await addSignedIn(service, { permissions: [...permissions], full_name: 'Ada Lovelace' })
  const added = await call('POST', `${path}/${id}/members`, { user: person.user.id, roles })
  expect(added.status, added.text).toBe(201)
  return person
}
const share = ({ bearer }: SignedInPerson, organization: unknown, given: object = {}) =>
  postLink(service, bearer, { organization, ...given })
const makeLink = async (by: SignedInPerson, organization: number, given: object = {}) => {
  const created = await share(by, organization, given)
  expect(created.status, created.text).toBe(201)
  return created.body
}
const list = (id: number, by: SignedInPerson, query = '') =>
  callAs(service, by)('GET', `${path}/${id}/links${query}`)
const listIds = async (id: number, by: SignedInPerson) => {
  const answer = await list(id, by)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map((one: { id: number }) => one.id)
}
const remove = (id: number, link: number | string, by: SignedInPerson) =>
  callAs(service, by)('DELETE', `${path}/${id}/links/${link}`)
/** The bytes of an answer, without the ID of its request. */
const shown = ({ status, text }: Answer) => [status, text.replaceAll(/"request_id":"[^"]*"/g, '')]
/** Where a link works: on its page, when it is opened, and in a session that it opened before. */
const works = async (token: string, session: string) => [
  (await lookUp(service, token)).status,
  (await redeem(service, token)).status,
  (await service.client('GET', '/api/2/users/me', { bearer: session })).status,
]
const alive = [200, 200, 200]
const dead = [404, 404, 401]
const open = async (token: string): Promise<string> => (await redeem(service, token)).body.session_key

const acme = await found()
const owner = await join(acme, ['owner'])
const rival = await found()
const rivalOwner = await join(rival, ['owner'])

describe('a link in the name of an organization', () => {
  it('says it to the people of the link, and is listed without its value', async () => {
    const link = await makeLink(owner, acme, { email: 'grace@example.com' })
    expect(link.organization).toBe(acme)
    expect((await getLink(service, owner.bearer, link.id)).body.organization).toBe(acme)
    expect((await lookUp(service, link.token)).body).toMatchObject({
      shared_by: 'Ada Lovelace',
      organization_name: 'Acme Studios',
    })
    const listed = await list(acme, owner)
    expect(listed.text).not.toContain(link.token)
    expect(listed.text).not.toContain('full_url')
    expect(listed.body.at(-1)).toMatchObject({
      id: link.id,
      created_by: owner.user.id,
      user: { email: 'grace@example.com' },
      shared_bundles: link.shared_bundles,
      has_password: false,
    })
  })

  it('differs from an equal one without an organization, also in easy sharing', async () => {
    const one = bundle()
    const easy = { bundles: [one], is_easy_sharing: true }
    const plain = await postLink(service, owner.bearer, easy)
    const own = await makeLink(owner, acme, easy)
    expect(own.id).not.toBe(plain.body.id)
    expect('organization' in plain.body).toBe(false)
    expect((await share(owner, acme, easy)).body.id).toBe(own.id)
    expect((await postLink(service, owner.bearer, easy)).body.id).toBe(plain.body.id)
    expect(await listIds(acme, owner)).not.toContain(plain.body.id)
  })

  it('stops at once with its organization, and comes back after a suspension', async () => {
    const id = await found()
    const maker = await join(id, ['owner'])
    const { token } = await makeLink(maker, id)
    const session = await open(token)
    const ticket = async () =>
      (await service.client('POST', '/api/2/auth/ticket', { bearer: session })).status
    expect(await works(token, session)).toEqual(alive)
    await call('PATCH', `${path}/${id}`, { state: 'suspended' })
    expect(await works(token, session)).toEqual(dead)
    expect(await ticket()).toBe(401)
    await call('PATCH', `${path}/${id}`, { state: 'active' })
    expect(await works(token, session)).toEqual(alive)
    await call('DELETE', `${path}/${id}`)
    expect(await works(token, session)).toEqual(dead)
  })

  it('stops while its maker has no role for it, or has left, and can be deleted for good', async () => {
    const maker = await join(acme, ['sharer'])
    const { id, token } = await makeLink(maker, acme)
    const session = await open(token)
    expect(await works(token, session)).toEqual(alive)
    const member = `${path}/${acme}/members/${maker.user.id}`
    await call('PATCH', member, { roles: ['member'] })
    expect(await works(token, session)).toEqual(dead)
    await call('PATCH', member, { roles: ['sharer'] })
    expect(await works(token, session)).toEqual(alive)
    expect((await callAs(service, maker)('DELETE', `/api/2/users/me/organizations/${acme}`)).status).toBe(204)
    expect(await works(token, session)).toEqual(dead)
    expect((await share(maker, acme)).status).toBe(403)
    expect((await list(acme, maker)).status).toBe(404)
    expect(await listIds(acme, owner)).toContain(id)
    expect((await remove(acme, id, owner)).status).toBe(204)
    expect(await listIds(acme, owner)).not.toContain(id)
    expect(await findAccessLink(service.services.table, id)).toBeUndefined()
  })

  it('leaves the list when its maker deletes it, or their account is deleted', async () => {
    const maker = await join(acme, ['sharer'])
    const [one, other] = [await makeLink(maker, acme), await makeLink(maker, acme)]
    expect((await deleteLink(service, maker.bearer, one.id)).status).toBe(204)
    expect(await listIds(acme, owner)).not.toContain(one.id)
    expect(await listIds(acme, owner)).toContain(other.id)
    expect((await call('DELETE', `/api/2/users/${maker.user.id}`)).status).toBeLessThan(300)
    expect(await listIds(acme, owner)).not.toContain(other.id)
  })

  it('has audit events of its organization', async () => {
    const { id } = await makeLink(owner, acme)
    expect((await remove(acme, id, owner)).status).toBe(204)
    for (const event of ['access_token.created', 'access_token.deleted']) {
      const events = await call('GET', `/api/2/auth/audit-events?event=${event}&limit=1`)
      expect(events.body[0]).toMatchObject({ target: String(id), organization: acme })
    }
  })
})

describe('nobody makes a link in the name of an organization', () => {
  it('without being a member, with the bytes and table calls of one that does not exist', async () => {
    await share(rivalOwner, rival)
    const start = service.log.length
    const answers = [await share(rivalOwner, acme), await share(rivalOwner, unknownId)]
    expect(shown(answers[0] as Answer)).toEqual(shown(answers[1] as Answer))
    expect(answers[0]?.body.reason).toBe('organization_refused')
    const [theirs, unknown] = costsSince(service, start)
    expect(theirs).toEqual(unknown)
    expect((await share(admin, acme)).body.reason).toBe('organization_refused')
  })

  it('without a role for it, or without the right to create links', async () => {
    expect((await share(await join(acme, ['member']), acme)).status).toBe(403)
    expect((await share(await join(acme, ['owner'], []), acme)).status).toBe(403)
    expect((await share(await join(acme, ['admin']), acme)).status).toBe(201)
  })

  it('while it is suspended', async () => {
    const id = await found()
    const maker = await join(id, ['owner'])
    await call('PATCH', `${path}/${id}`, { state: 'suspended' })
    expect((await share(maker, id)).body.reason).toBe('organization_refused')
  })

  it.each([
    ['__proto__'],
    ['constructor'],
    [String(acme)],
    [0],
    [-1],
    [1.5],
    [2 ** 31],
    [2 ** 60],
    [[acme]],
    [{ id: acme }],
    [true],
  ])('with the ID %j', async (organization) => {
    const refused = await share(owner, organization)
    expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, 'organization'])
  })

  it('by naming it twice', async () => {
    const body = `{"bundles":[7],"organization":${acme},"organization":${rival}}`
    const refused = await fetch(`${service.url}${linksPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rivalOwner.bearer}`, 'content-type': 'application/json' },
      body,
    })
    const answer = (await refused.json()) as { organization?: number }
    expect(answer.organization).not.toBe(acme)
  })

  it('with the header of another organization, which links ignore', async () => {
    const answer = await service.client('POST', linksPath, {
      bearer: rivalOwner.bearer,
      headers: { 'latchkey-organization': String(rival) },
      body: { bundles: [7], organization: acme },
    })
    expect(answer.status).toBe(403)
  })

  it('with an API token of the organization, while impersonating, or with a session of a link', async () => {
    const key = await makeKey(['org:links:manage'])
    const body = { bundles: [7], organization: acme }
    expect((await service.client('POST', linksPath, { bearer: key, body })).status).toBe(401)
    const { token } = await makeLink(owner, acme)
    expect((await service.client('POST', linksPath, { bearer: await open(token), body })).status).toBe(403)
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const started = await callAs(service, actor)('POST', '/api/2/auth/impersonation', { user: owner.user.id })
    expect(started.status, started.text).toBeLessThan(300)
    expect((await service.client('POST', linksPath, { bearer: actor.bearer, body })).status).toBe(403)
  })

  it('with a session that only a company sign-in opened, and lists only those of its organization', async () => {
    const both = await join(acme, ['owner'])
    await call('POST', `${path}/${rival}/members`, { user: both.user.id, roles: ['owner'] })
    const { table } = service.services
    const membership = await findMembership(table, { userId: both.user.id, organizationId: rival })
    const joining = membership?.joining
    await table.update(sessionKey(both.user.id, hashCredential(both.bearer)), (x) => ({
      set: [
        `${x.path('limitedTo')} = ${x.value('organizations')}`,
        `${x.path('organizationProofs')} = ${x.value([
          { organization: rival, joining, connection: 1, at: service.services.now(), methods: ['pwd'] },
        ])}`,
      ],
    }))
    for (const id of [acme, rival]) expect((await share(both, id)).status).toBe(403)
    expect((await list(acme, both)).status).toBe(404)
    expect((await list(rival, both)).status).toBe(200)
  })
})

const makeKey = async (permissions: readonly string[], id = acme, by = owner): Promise<string> => {
  const created = await callAs(service, by)('POST', `${path}/${id}/api-tokens`, { name: 'k', permissions })
  expect(created.status, created.text).toBe(201)
  return created.body.token
}

describe('the links of an organization are closed', () => {
  it('to owners of others, with the bytes and table calls of one that does not exist', async () => {
    const { id } = await makeLink(owner, acme)
    for (const method of ['GET', 'DELETE']) {
      const suffix = method === 'GET' ? '' : `/${id}`
      await callAs(service, rivalOwner)('GET', `${path}/${rival}/links`)
      const start = service.log.length
      const answers = []
      for (const organization of [acme, unknownId])
        answers.push(await callAs(service, rivalOwner)(method, `${path}/${organization}/links${suffix}`))
      expect(shown(answers[0] as Answer)).toEqual(shown(answers[1] as Answer))
      expect(answers[0]?.status).toBe(404)
      const [theirs, unknown] = costsSince(service, start)
      expect(theirs).toEqual(unknown)
    }
    expect(await listIds(acme, owner)).toContain(id)
  })

  it('to deletion through another organization, and for a link of none', async () => {
    const { id } = await makeLink(owner, acme)
    const plain = (await postLink(service, owner.bearer)).body.id
    for (const link of [id, plain, unknownId]) {
      expect((await remove(rival, link, rivalOwner)).status).toBe(404)
      expect((await remove(rival, link, admin)).status).toBe(404)
    }
    expect((await remove(acme, plain, owner)).status).toBe(404)
    for (const wrong of ['__proto__', '0', '1e3', '9'.repeat(40)])
      expect([400, 404]).toContain((await remove(acme, wrong, owner)).status)
    expect((await getLink(service, owner.bearer, plain)).status).toBe(200)
    expect((await getLink(service, owner.bearer, id)).status).toBe(200)
  })

  it('to members without a role for it, and to tokens of others', async () => {
    const member = await join(acme, ['member'])
    const { id } = await makeLink(owner, acme)
    expect((await list(acme, member)).status).toBe(403)
    expect((await remove(acme, id, member)).status).toBe(403)
    const keys = [
      [await makeKey(['org:links:manage'], rival, rivalOwner), 404],
      [await makeKey(['org:members:view']), 403],
      [await makeKey(['org:links:manage']), 200],
    ] as const
    for (const [bearer, status] of keys)
      expect((await service.client('GET', `${path}/${acme}/links`, { bearer })).status).toBe(status)
    for (const [bearer, status] of keys)
      expect((await service.client('DELETE', `${path}/${acme}/links/${id}`, { bearer })).status).toBe(
        status === 200 ? 204 : status,
      )
  })

  it('to managers of links who did not make them, as far as the value goes', async () => {
    const { id } = await makeLink(owner, acme)
    const other = await join(acme, ['sharer'])
    expect((await getLink(service, other.bearer, id)).status).toBe(404)
    expect(await listIds(acme, other)).toContain(id)
  })

  it('to each other: 50 links of two organizations in parallel are in their own list only', async () => {
    const [first, second] = [await found(), await found()]
    const [one, two] = [await join(first, ['owner']), await join(second, ['owner'])]
    const makers = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? one : two))
    const made = await Promise.all(makers.map((by) => makeLink(by, by === one ? first : second)))
    const ids = (by: SignedInPerson) =>
      made.flatMap(({ id }, at) => (makers[at] === by ? [id] : [])).sort((a, b) => a - b)
    expect(await listIds(first, one)).toEqual(ids(one))
    expect(await listIds(second, two)).toEqual(ids(two))
    const page = await list(first, one, '?limit=10')
    expect(page.body.map((link: { id: number }) => link.id)).toEqual(ids(one).slice(0, 10))
    expect(page.headers.get('link')).toContain('rel="next"')
    const gone = await Promise.all(ids(one).flatMap((id) => [remove(first, id, one), remove(first, id, one)]))
    expect(gone.filter(({ status }) => status === 204)).toHaveLength(25)
    expect(gone.filter(({ status }) => status === 404)).toHaveLength(25)
    expect(await listIds(first, one)).toEqual([])
    expect(await listIds(second, two)).toEqual(ids(two))
  })
})
