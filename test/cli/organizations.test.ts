import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runOrganizations } from './command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())
const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, staff)

const unique = () => `o${randomUUID().slice(0, 13).replaceAll(/[01-]/g, '2')}x`
const importLines = async (lines: readonly object[], ...options: readonly string[]) => {
  const file = folder.file(`${unique()}.jsonl`, jsonLines(lines))
  const run = () =>
    runOrganizations(['import', file, '--table', service.tableName, ...options], environmentOf())
  return { file, run, ...(await run()) }
}
const findBySlug = async (slug: string) => (await call('GET', `organizations?slug=${slug}`)).body[0]

describe('an import of organizations', () => {
  it('creates them with their members, checks them first, and does nothing again', async () => {
    const [slug, external] = [unique(), randomUUID()]
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        addPerson(service, {
          email: `${randomUUID()}@people.example`,
          ...(at === 3 ? { externalId: { source: 'old', id: external } } : {}),
        }),
      ),
    )
    const [a, b, c] = people.map(({ user }) => user)
    const lines = [
      { name: 'Acme Studios', slug, external_id: external, member_limit: 10 },
      { organization_slug: slug, user_id: a?.id, roles: ['owner'] },
      { organization_slug: slug, username: b?.username, roles: ['admin', 'admin'] },
      { organization_external_id: external, email: c?.email?.toUpperCase(), roles: ['member'] },
      { organization_slug: slug, external_id: { source: 'old', id: external }, roles: ['member'] },
    ]
    const dry = await importLines(lines, '--dry-run')
    expect([dry.code, dry.stdout]).toEqual([
      0,
      '1 organization and 4 memberships could be imported; nothing was written.\n',
    ])
    expect(await findBySlug(slug)).toBeUndefined()
    const { stdout, code, run } = await importLines(lines)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^1 organization and 4 memberships imported in/),
    ])
    const found = await findBySlug(slug)
    expect(found).toMatchObject({
      name: 'Acme Studios',
      external_id: external,
      state: 'active',
      member_limit: 10,
      member_count: 4,
      is_ownerless: false,
    })
    const { body } = await call('GET', `organizations/${found.id}/members`)
    expect(
      body.map(({ user, roles, source }: never) => [(user as { id: number }).id, roles, source]),
    ).toEqual(
      people.map(({ user }, at) => [user.id, [['owner'], ['admin'], ['member'], ['member']][at], 'import']),
    )
    const events = (await call('GET', `auth/audit-events?organization=${found.id}`)).body
    expect(events.map(({ event }: { event: string }) => event).sort()).toEqual([
      'organization.created',
      ...Array(4).fill('organization.member_added'),
    ])
    const again = await run()
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^0 organizations and 0 memberships imported.*\n5 lines had been imported before\.\n$/,
      ),
    ])
    expect((await findBySlug(slug)).member_count).toBe(4)
  })

  it('reports every error of a line, and imports the others', async () => {
    const [slug, former, full] = [unique(), unique(), unique()]
    const { body: renamed } = await call('POST', 'organizations', { name: 'Before', slug: former })
    await call('PATCH', `organizations/${renamed.id}`, { slug: unique() })
    const [person, claimed] = [
      await addPerson(service),
      await addPerson(service, { email: `${randomUUID()}@people.example`, emailVerified: false }),
    ]
    const { id } = person.user
    const member = (fields: object) => ({ organization_slug: slug, roles: ['member'], ...fields })
    const lines = [
      { name: 'Acme', slug },
      { name: 'Your Bank: evil.example', slug: 'A', state: 'ended', extra: 1 },
      { name: 'Taken', slug: former },
      { name: 'Acme', slug, external_id: 'another' },
      member({ user_id: id }),
      member({ user_id: id, roles: ['owner'] }),
      member({ user_id: 2_147_483_647, organization_slug: 'nowhere', roles: ['__proto__', 'nothing'] }),
      member({ user_id: 2_147_483_647, roles: ['nothing'] }),
      member({ user_id: id, username: 'two' }),
      { roles: [] },
      // An address that was only claimed is nobody's.
      member({ email: claimed.user.email }),
      { name: 'Full', slug: full, member_limit: 1 },
      { organization_slug: full, user_id: id, roles: ['member'] },
      { organization_slug: full, user_id: claimed.user.id, roles: ['member'] },
      ['no object'],
      { organization_slug: '__proto__', user_id: id, roles: ['member'] },
    ]
    const { code, stdout, file } = await importLines(lines)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^2 organizations and 2 memberships imported/)])
    const refused = await refusalsOf(file)
    expect(
      refused
        .map(({ line, errors }) => [line, ...errors.map(({ field }) => field)])
        .sort(([one], [other]) => Number(one) - Number(other)),
    ).toEqual([
      [2, 'name', 'slug', 'state', 'extra'],
      [3, 'slug'],
      [4, 'slug'],
      [6, 'roles'],
      [7, 'roles.0'],
      [8, 'user', 'roles'],
      [9, 'user'],
      [10, 'roles', 'organization', 'user'],
      [11, 'user'],
      [14, 'line'],
      [15, 'line'],
      [16, 'organization'],
    ])
    expect((await findBySlug(full)).member_count).toBe(1)
  })

  it('writes members of many organizations together, whom the file lists in any order', async () => {
    const slugs = Array.from({ length: 40 }, unique)
    const people = await Promise.all(
      Array.from({ length: 3 }, () => addPerson(service, { passwordHash: null })),
    )
    const { code, stdout, run } = await importLines([
      ...slugs.map((slug, at) => ({ name: 'Small', slug, ...(at === 7 ? { member_limit: 2 } : {}) })),
      ...people.flatMap(({ user }) =>
        slugs.map((slug) => ({ organization_slug: slug, user_id: user.id, roles: ['owner'] })),
      ),
    ])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^40 organizations and 119 memberships imported/),
    ])
    const counts = await Promise.all(slugs.map(async (slug) => (await findBySlug(slug)).member_count))
    expect(counts).toEqual(slugs.map((_, at) => (at === 7 ? 2 : 3)))
    expect((await run()).stdout).toContain('159 lines had been imported before.')
  })

  it('writes 100 members of one organization, and 2 of 3 above a limit', async () => {
    const [slug, limited] = [unique(), unique()]
    const people = await Promise.all(
      Array.from({ length: 100 }, () => addPerson(service, { passwordHash: null })),
    )
    const join = (organization_slug: string, count: number) =>
      people.slice(0, count).map(({ user }) => ({ organization_slug, user_id: user.id, roles: ['member'] }))
    const lines = [
      { name: 'Large', slug },
      { name: 'Limited', slug: limited, member_limit: 2 },
      ...join(slug, 100),
      ...join(limited, 3),
    ]
    const { code, stdout } = await importLines(lines)
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^2 organizations and 102 memberships imported/),
    ])
    expect([(await findBySlug(slug)).member_count, (await findBySlug(limited)).member_count]).toEqual([
      100, 2,
    ])
  })
})
