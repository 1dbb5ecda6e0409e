import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { allPages, costsSince } from '../support/directory.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'organizations:view'] })
const stranger = await addSignedIn(service)

const path = '/api/2/organizations'
const call = callAs(service, staff)
const newSlug = () => `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`
const create = (body: object = {}) => call('POST', path, { name: 'Acme Studios', slug: newSlug(), ...body })
const createId = async (body: object = {}): Promise<number> => (await create(body)).body.id
const add = (id: number, { user }: Pick<SignedInPerson, 'user'>, roles: readonly string[]) =>
  call('POST', `${path}/${id}/members`, { user: user.id, roles })
const member = async (id: number, roles: readonly string[]): Promise<SignedInPerson> => {
  const person = await addSignedIn(service, { email: `${randomUUID()}@people.example` })
  expect((await add(id, person, roles)).status).toBe(201)
  return person
}
const rolesOf = (id: number, { user }: SignedInPerson, roles: readonly string[], by: SignedInPerson) =>
  callAs(service, by)('PATCH', `${path}/${id}/members/${user.id}`, { roles })

describe('an organization', () => {
  it('is created, found, changed and deleted', async () => {
    const slug = newSlug()
    const external_id = randomUUID()
    const created = await create({ name: 'Zoë & Söhne', slug, external_id, member_limit: 3 })
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.headers.get('location')).toBe(`${path}/${id}`)
    expect(created.body).toMatchObject({
      name: 'Zoë & Söhne',
      slug,
      external_id,
      member_limit: 3,
      state: 'active',
    })
    expect(created.body).toMatchObject({ member_count: 0, is_ownerless: true })
    for (const query of [`slug=${slug}`, `external_id=${external_id}`, 'filter=zoë söhne', `filter=${slug}`])
      expect((await call('GET', `${path}?${query}`)).body.map((one: { id: number }) => one.id)).toContain(id)
    const changed = await call('PATCH', `${path}/${id}`, {
      name: 'Zoë',
      slug: `${slug}-x`,
      external_id: null,
    })
    expect(changed.body).toMatchObject({ name: 'Zoë', slug: `${slug}-x`, external_id: null, member_limit: 3 })
    expect((await call('GET', `${path}?external_id=${external_id}`)).body).toEqual([])
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${id}`)).status).toBe(404)
    expect((await call('GET', `${path}?slug=${slug}-x`)).body).toEqual([])
  })

  it('lists each organization once in both orders', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, () => createId()))
    for (const ordering of ['id', '-id', 'slug', '-slug']) {
      const pages = await allPages<{ id: number }>(
        service,
        `${path}?limit=3&ordering=${ordering}`,
        staff.bearer,
      )
      const found = pages.flat().map(({ id }) => id)
      expect(new Set(found).size).toBe(found.length)
      expect(found).toEqual(expect.arrayContaining(ids))
    }
  })

  it.each([
    ['Your Bank: evil.example', 'name'],
    ['pay at https://evil', 'name'],
    ['support@evil', 'name'],
    ['evil．example', 'name'],
    ['\u202eAcme', 'name'],
    ['\u200b', 'name'],
  ])('refuses the name %s', async (name, field) => {
    const refused = await create({ name })
    expect(refused.status).toBe(400)
    expect(refused.body.errors[0].field).toBe(field)
  })

  it.each(['A', 'a', '7up', 'acme--x', '-acme', 'acme-', 'me', 'a'.repeat(51), 'acmé', '__proto__', 'a b'])(
    'refuses the slug %s',
    async (slug) => {
      const refused = await create({ slug })
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'slug'])
    },
  )

  it('keeps slugs that were used, and refuses those that look the same', async () => {
    const slug = `modern${randomUUID().slice(0, 8).replaceAll(/[01]/g, '2')}`
    const id = await createId({ slug })
    const isTaken = async (given: string) => {
      const refused = await create({ slug: given })
      expect([refused.status, refused.body.reason]).toEqual([409, 'slug_taken'])
    }
    await isTaken(slug)
    await isTaken(slug.replace('modern', 'modem'))
    await isTaken(slug.replace('modern', 'm0-dern'))
    expect((await call('PATCH', `${path}/${id}`, { slug: `${slug}b` })).status).toBe(200)
    await isTaken(slug)
    // Its own former slug is free for itself alone.
    expect((await call('PATCH', `${path}/${id}`, { slug })).body.slug).toBe(slug)
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    await isTaken(slug)
    await isTaken(`${slug}b`)
  })

  it('gives a slug and an external ID to one of 20 organizations that want it at once', async () => {
    for (const same of [{ slug: newSlug() }, { external_id: randomUUID() }]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(same)))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    }
  })
})

describe('a member', () => {
  it('is added, listed, changed and removed, and the counts follow', async () => {
    const id = await createId()
    const owner = await member(id, ['owner'])
    const other = await member(id, ['member'])
    const asOwner = callAs(service, owner)
    expect((await asOwner('GET', `${path}/${id}`)).body).toMatchObject({
      member_count: 2,
      is_ownerless: false,
    })
    const listed = await asOwner('GET', `${path}/${id}/members`)
    expect(listed.body.map(({ user, roles }: never) => [(user as { id: number }).id, roles])).toEqual([
      [owner.user.id, ['owner']],
      [other.user.id, ['member']],
    ])
    expect(listed.body[0]).toMatchObject({ source: 'administrator', roles_given_by: staff.user.id })
    expect((await rolesOf(id, other, ['admin', 'admin'], owner)).body.roles).toEqual(['admin'])
    expect((await asOwner('GET', `${path}/${id}/members?role=admin`)).body).toHaveLength(1)
    expect((await asOwner('GET', `${path}/${id}/members?role=owner`)).body).toHaveLength(1)
    expect((await asOwner('DELETE', `${path}/${id}/members/${other.user.id}`)).status).toBe(204)
    expect((await asOwner('GET', `${path}/${id}`)).body.member_count).toBe(1)
    expect((await callAs(service, other)('GET', `${path}/${id}`)).status).toBe(404)
  })

  it('finds members by address, and nobody of another organization', async () => {
    const [id, otherId] = [await createId(), await createId()]
    const [owner, foreign] = [await member(id, ['owner']), await member(otherId, ['owner'])]
    const find = async (email: string | null) =>
      (await callAs(service, owner)('GET', `${path}/${id}/members?email=${encodeURIComponent(email ?? '')}`))
        .body
    expect(await find(owner.user.email)).toHaveLength(1)
    expect(await find(foreign.user.email)).toEqual([])
    expect(await find('nobody@nowhere.example')).toEqual([])
  })

  it('sees their organizations with roles and permissions', async () => {
    const id = await createId({ name: 'One' })
    const person = await member(id, ['admin'])
    const own = await callAs(service, person)('GET', '/api/2/users/me/organizations')
    expect(own.body).toHaveLength(1)
    expect(own.body[0]).toMatchObject({ id, name: 'One', roles: ['admin'], state: 'active' })
    expect(own.body[0].permissions).toContain('org:members:manage')
    expect((await call('GET', `/api/2/users/${person.user.id}/organizations`)).body).toEqual(own.body)
    await call('DELETE', `${path}/${id}`)
    expect((await callAs(service, person)('GET', '/api/2/users/me/organizations')).body).toEqual([])
  })

  it('leaves, unless they are the last owner', async () => {
    const id = await createId()
    const [owner, other] = [await member(id, ['owner']), await member(id, ['member'])]
    const leave = (person: SignedInPerson) =>
      callAs(service, person)('DELETE', `/api/2/users/me/organizations/${id}`)
    expect((await leave(other)).status).toBe(204)
    expect((await leave(other)).status).toBe(404)
    const refused = await leave(owner)
    expect([refused.status, refused.body.reason]).toEqual([409, 'last_owner'])
    expect((await rolesOf(id, owner, ['member'], owner)).body.reason).toBe('last_owner')
    // An administrator of the service may, and the organization is shown as one without an owner.
    expect((await call('DELETE', `${path}/${id}/members/${owner.user.id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ is_ownerless: true, member_count: 0 })
  })

  it('cannot leave an organization that was deleted, as one that never existed', async () => {
    const id = await createId()
    const [owner, other] = [await member(id, ['owner']), await member(id, ['member'])]
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    for (const person of [owner, other]) {
      const leave = (one: number) => callAs(service, person)('DELETE', `/api/2/users/me/organizations/${one}`)
      const [deleted, unknown] = [await leave(id), await leave(2_147_483_647)]
      expect([deleted.status, deleted.body.detail]).toEqual([404, unknown.body.detail])
    }
  })

  it('keeps one of two owners who leave and demote each other at once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await createId()
      const [a, b] = [await member(id, ['owner']), await member(id, ['owner'])]
      const answers = await Promise.all([
        callAs(service, a)('DELETE', `/api/2/users/me/organizations/${id}`),
        rolesOf(id, b, ['member'], b),
        callAs(service, b)('DELETE', `${path}/${id}/members/${b.user.id}`),
        rolesOf(id, a, ['admin'], b),
      ])
      for (const { status } of answers) expect([200, 204, 403, 404, 409]).toContain(status)
      expect((await call('GET', `${path}/${id}`)).body.is_ownerless).toBe(false)
    }
  })

  it('is one at most, of 20 who are added at once, and never more than the limit', async () => {
    const id = await createId({ member_limit: 5 })
    const person = await addSignedIn(service)
    const same = await Promise.all(Array.from({ length: 10 }, () => add(id, person, ['member'])))
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(same.filter(({ body }) => body.reason === 'already_member')).toHaveLength(9)
    const others = await Promise.all(Array.from({ length: 10 }, () => addSignedIn(service)))
    const answers = await Promise.all(others.map((one) => add(id, one, ['member'])))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.filter(({ body }) => body.reason === 'member_limit_reached')).toHaveLength(6)
    expect((await call('GET', `${path}/${id}`)).body.member_count).toBe(5)
  })

  it('is no member any more after the account was deleted', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const id = await createId()
    const [owner, other] = [await member(id, ['owner']), await member(id, ['owner'])]
    expect((await callAs(service, admin)('DELETE', `/api/2/users/${owner.user.id}`)).status).toBe(204)
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ member_count: 1, is_ownerless: false })
    expect((await callAs(service, other)('GET', `${path}/${id}/members`)).body).toHaveLength(1)
  })
})

describe('roles', () => {
  it('give what they hold and no more', async () => {
    const id = await createId()
    const owner = await member(id, ['owner'])
    const admin = await member(id, ['admin'])
    const plain = await member(id, ['member'])
    expect((await rolesOf(id, plain, ['admin'], admin)).status).toBe(200)
    expect((await rolesOf(id, plain, ['owner'], admin)).status).toBe(403)
    expect((await rolesOf(id, owner, ['member'], admin)).status).toBe(403)
    expect((await rolesOf(id, admin, ['owner'], admin)).status).toBe(403)
    expect((await callAs(service, admin)('DELETE', `${path}/${id}/members/${owner.user.id}`)).status).toBe(
      403,
    )
    expect((await rolesOf(id, plain, ['member'], owner)).status).toBe(200)
    expect((await rolesOf(id, plain, ['admin'], plain)).status).toBe(403)
    expect((await rolesOf(id, plain, ['nothing'], owner)).status).toBe(400)
    expect((await rolesOf(id, plain, [], owner)).status).toBe(400)
    expect((await rolesOf(id, plain, ['__proto__'], owner)).status).toBe(400)
  })

  it('are declared for the service, with permissions of products alone', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const put = (roles: unknown) => callAs(service, admin)('PUT', '/api/2/organization-roles', { roles })
    const role = (key: string, permissions: readonly string[]) => ({ key, texts: { en: key }, permissions })
    const refused = await put([
      role('a', ['users:manage', 'films:edit', 'system:anything']),
      role('b', ['org:nothing', 'media:access', 'organizations:manage', 'audit-events:view']),
      role('a', []),
    ])
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'roles.0.permissions.0',
      'roles.0.permissions.2',
      'roles.1.permissions.0',
      'roles.1.permissions.1',
      'roles.1.permissions.2',
      'roles.1.permissions.3',
      'roles.2.key',
    ])
    const declared = [
      role('editor', ['films:edit']),
      role('admin', ['films:view']),
      role('lead', ['org:members:manage']),
    ]
    expect((await put(declared)).body.roles).toEqual(declared.map((one) => ({ ...one, given_by: 'members' })))
    const id = await createId()
    const [owner, boss] = [await member(id, ['owner']), await member(id, ['admin'])]
    const plain = await member(id, ['editor'])
    const own = await callAs(service, plain)('GET', '/api/2/users/me/organizations')
    expect(own.body[0]).toMatchObject({ roles: ['editor'], permissions: ['films:edit'] })
    // The built-in role has what was added to it, and may not give what only another has.
    expect((await rolesOf(id, plain, ['editor', 'lead'], boss)).status).toBe(403)
    expect((await rolesOf(id, plain, ['editor', 'lead'], owner)).status).toBe(200)
    expect((await put([])).body.roles).toEqual([])
    expect(
      (await callAs(service, plain)('GET', '/api/2/users/me/organizations')).body[0].permissions,
    ).toEqual([])
  })
})

describe('an organization of others', () => {
  it('does not exist: not yours and not there are equal in bytes and in table calls', async () => {
    const id = await createId()
    const owner = await member(id, ['owner'])
    const mine = await createId()
    const me = await member(mine, ['owner'])
    const operations = (one: number | string): readonly (readonly [string, string, object?])[] => [
      ['GET', `${path}/${one}`],
      ['PATCH', `${path}/${one}`, { name: 'x' }],
      ['DELETE', `${path}/${one}`],
      ['GET', `${path}/${one}/members`],
      ['GET', `${path}/${one}/members?email=${owner.user.email}`],
      ['POST', `${path}/${one}/members`, { user: me.user.id, roles: ['owner'] }],
      ['PATCH', `${path}/${one}/members/${owner.user.id}`, { roles: ['member'] }],
      ['DELETE', `${path}/${one}/members/${owner.user.id}`],
      ['DELETE', `/api/2/users/me/organizations/${one}`],
    ]
    for (const person of [me, stranger]) {
      const [theirs, missing] = [operations(id), operations(2_147_483_647)]
      for (const [at, [method, address, body]] of theirs.entries()) {
        const answers = []
        for (const [m, a, b] of [[method, address, body], missing[at]] as typeof theirs) {
          const start = service.log.length
          const { status, body: content } = await callAs(service, person)(m, a, b)
          const { instance: _, request_id: __, ...shown } = content
          answers.push({ status, shown, costs: costsSince(service, start) })
        }
        expect(answers[0]).toEqual(answers[1])
        expect(answers[0]?.status).toBe(404)
      }
    }
    expect((await call('GET', `${path}/${id}`)).body.member_count).toBe(1)
  })
})

describe('a search for members', () => {
  const shown = async (id: number, query: string, who: Pick<SignedInPerson, 'bearer'> = staff) => {
    const pages = await allPages<{ user: { id: number } }>(
      service,
      `${path}/${id}/members?${query}`,
      who.bearer,
    )
    return pages.flat().map(({ user }) => user.id)
  }
  const filterOf = (text: string) => `filter=${encodeURIComponent(text)}`

  it('finds those whose names contain all words, page by page, and the only one with an address', async () => {
    const id = await createId()
    const owner = await member(id, ['owner'])
    const [zoe, zoltan] = await Promise.all(
      ['Zoë Quist-Ångström', 'Zoltan Quist'].map((full_name) =>
        addSignedIn(service, { full_name, email: `${randomUUID()}@people.example` }),
      ),
    )
    if (!zoe || !zoltan) throw new Error('nobody was added')
    for (const person of [zoe, zoltan]) await add(id, person, ['member'])
    const both = [zoe.user.id, zoltan.user.id].toSorted((a, b) => a - b)
    expect(await shown(id, filterOf('quist'), owner)).toEqual(both)
    expect(await shown(id, `${filterOf('QUIST')}&limit=1`, owner)).toEqual(both)
    expect(await shown(id, `${filterOf('quist')}&ordering=-id`, owner)).toEqual(both.toReversed())
    expect(await shown(id, filterOf('ÅNGSTRÖM zoë'), owner)).toEqual([zoe.user.id])
    expect(await shown(id, filterOf(zoltan.user.username.toUpperCase()), owner)).toEqual([zoltan.user.id])
    expect(await shown(id, filterOf(zoe.user.email ?? ''), owner)).toEqual([zoe.user.id])
    expect(await shown(id, filterOf((zoe.user.email ?? '').slice(0, -3)), owner)).toEqual([zoe.user.id])
    expect(await shown(id, `${filterOf('quist')}&role=owner`, owner)).toEqual([])
    expect(await shown(id, `${filterOf(zoe.user.email ?? '')}&role=owner`, owner)).toEqual([])
    expect(await shown(id, filterOf(''), owner)).toHaveLength(3)
    for (const text of ['__proto__', 'constructor', '.*', '%', 'nobody quist'])
      expect(await shown(id, filterOf(text), owner)).toEqual([])
    const long = await callAs(service, owner)('GET', `${path}/${id}/members?${filterOf('x'.repeat(256))}`)
    expect(long.status).toBe(400)
    await call('DELETE', `${path}/${id}/members/${zoe.user.id}`)
    expect(await shown(id, filterOf('quist'), owner)).toEqual([zoltan.user.id])
  })

  it('answers for people elsewhere as for nobody, with the same table calls', async () => {
    const [id, elsewhere] = [await createId(), await createId()]
    const owner = await member(id, ['owner'])
    const plain = await member(id, ['member'])
    const other = await member(elsewhere, ['owner'])
    const search = async (query: string) => {
      const start = service.log.length
      const { status, text, headers } = await callAs(service, owner)('GET', `${path}/${id}/members?${query}`)
      return [status, text, headers.get('link'), costsSince(service, start).map(({ calls }) => calls)]
    }
    const unknown = `${randomUUID()}@people.example`
    for (const [of, name] of [
      ['filter', other.user.email],
      ['email', other.user.email],
      ['filter', other.user.username],
    ])
      expect(await search(`${of}=${encodeURIComponent(name ?? '')}`)).toEqual(
        await search(`${of}=${encodeURIComponent(name?.includes('@') ? unknown : randomUUID())}`),
      )
    // Who may not see the members searches for nobody, and a stranger finds no organization.
    const asked = (who: SignedInPerson) =>
      callAs(service, who)('GET', `${path}/${id}/members?${filterOf(owner.user.email ?? '')}`)
    expect([(await asked(plain)).status, (await asked(other)).status]).toEqual([403, 404])
  })
})
