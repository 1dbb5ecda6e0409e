import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { readOrganizationsArguments } from '../../cli/organizations/command.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runOrganizations } from './command.ts'

/* Organizations that other systems exported, and groups that become organizations. */

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())
const staff = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, staff)
const suffix = randomUUID().replaceAll(/[01-]/g, '2').slice(0, 8)
const newAddress = () => `${randomUUID()}@people.example`
/** A user who was imported with an ID, or who has nothing but their confirmed address. */
const addUser = async (source: string | undefined, id: string, fields: object = {}) =>
  (
    await addPerson(service, {
      email: newAddress(),
      ...(source === undefined ? {} : { externalId: { source, id } }),
      ...fields,
    })
  ).user
const importFile = async (name: string, content: string, ...options: readonly string[]) => {
  const file = folder.file(`${randomUUID()}-${name}`, content)
  const args = ['import', file, '--table', service.tableName, ...options]
  return { file, ...(await runOrganizations(args, environmentOf())) }
}
const findOrganization = async (slug: string) => (await call('GET', `organizations?slug=${slug}`)).body[0]
const rolesIn = async (slug: string): Promise<unknown> => {
  const { id } = await findOrganization(slug)
  const { body } = await call('GET', `organizations/${id}/members`)
  return Object.fromEntries(
    body.map(({ user, roles }: { readonly user: { readonly id: number }; readonly roles: string[] }) => [
      user.id,
      roles,
    ]),
  )
}
const linesOfRefusals = async (file: string) =>
  (await refusalsOf(file))
    .map(({ line, errors }) => [line, ...errors.map(({ field }) => field)])
    .sort(([one], [other]) => Number(one) - Number(other))

describe('an export of organizations', () => {
  it('of Auth0 is moved, and each line that cannot be moved is reported', async () => {
    const ada = await addUser('auth0', `auth0|${suffix}1`)
    const bo = await addUser(undefined, '')
    const claimed = await addUser(undefined, '', { emailVerified: false })
    const page = {
      organization_id: `org_${suffix}`,
      members: [
        { user_id: ada.externalId?.id, email: newAddress(), roles: [{ id: 'rol_1', name: 'Billing Admin' }] },
        { user_id: 'auth0|elsewhere', email: bo.email?.toUpperCase() },
      ],
    }
    const member = (fields: object) => ({
      organization_id: `org_${suffix}`,
      user_id: 'auth0|nobody',
      ...fields,
    })
    const lines = jsonLines([
      { id: `org_${suffix}`, name: `acme_${suffix}`, display_name: 'Acme Studios', branding: {} },
      page,
      // Each of these is wrong.
      { id: 'org_digit', name: `1st-${suffix}`, display_name: 'First' },
      member({ organization_id: 'org_digit', user_id: ada.externalId?.id }),
      { id: 'org_same', name: `acme-${suffix}` },
      member({}),
      member({ email: claimed.email }),
      member({ user_id: ada.externalId?.id, roles: [{ name: '__proto__' }] }),
      member({ user_id: bo.id, roles: ['owner'] }),
      { id: 'org_bank', name: `bank-${suffix}`, display_name: 'Your Bank: evil.example' },
    ])
    const long = JSON.stringify({ id: 'org_long', name: 'x'.repeat(10_000_000) })
    const { code, stdout, file } = await importFile(
      'auth0.jsonl',
      `${lines}${long}\n{"id": \n{"__proto__": {"id": "x"}, "id": "org_p", "name": "proto"}\n`,
      ...['--from', 'auth0', '--roles', 'Billing Admin=admin'],
    )
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^1 organization and 2 memberships imported/)])
    expect(await linesOfRefusals(file)).toEqual([
      [3, 'slug'],
      [4, 'organization'],
      [5, 'slug'],
      [6, 'user'],
      [7, 'user'],
      [8, 'roles.0'],
      [9, 'user_id', 'roles.0'],
      [10, 'name'],
      [11, 'line'],
      [12, 'line'],
      [13, '__proto__'],
    ])
    expect(await findOrganization(`acme-${suffix}`)).toMatchObject({
      ...{ name: 'Acme Studios', external_id: `org_${suffix}`, member_count: 2, is_ownerless: true },
    })
    expect(await rolesIn(`acme-${suffix}`)).toEqual({ [ada.id]: ['admin'], [bo.id]: ['member'] })
  })

  it('of Clerk is moved from pages of JSON, and moved once', async () => {
    const [ada, bo] = [await addUser('clerk', `user_${suffix}`), await addUser(undefined, '')]
    const organization = {
      object: 'organization',
      id: `org_c${suffix}`,
      name: 'Mill',
      slug: `mill-${suffix}`,
    }
    const membership = (user_id: string | undefined, identifier: string, role: string) => ({
      ...{ object: 'organization_membership', id: randomUUID(), role, permissions: [], organization },
      public_user_data: { user_id, identifier, first_name: null },
    })
    const pages = [
      { data: [organization], total_count: 1 },
      {
        data: [
          membership(ada.externalId?.id, '+15555550100', 'org:admin'),
          membership('user_other', bo.email ?? '', 'org:member'),
          membership(ada.externalId?.id, '', 'org:unknown'),
        ],
        total_count: 3,
      },
    ]
    const content = JSON.stringify(pages, undefined, 2)
    const options = ['--from', 'clerk', '--roles', 'org:admin=owner'] as const
    const dry = await importFile('clerk.json', content, ...options, '--dry-run')
    expect([dry.code, dry.stdout]).toEqual([
      1,
      expect.stringMatching(/^1 organization and 2 memberships could/),
    ])
    expect(await findOrganization(organization.slug)).toBeUndefined()
    const { code, file } = await importFile('clerk.json', content, ...options)
    expect([code, await linesOfRefusals(file)]).toEqual([1, [[4, 'roles']]])
    expect(await rolesIn(organization.slug)).toEqual({ [ada.id]: ['owner'], [bo.id]: ['member'] })
    const again = await importFile('clerk.json', content, ...options)
    expect(again.stdout).toContain('3 lines had been imported before.')
  })

  it('of WorkOS leaves domains and memberships that are not active behind', async () => {
    const ada = await addUser('workos', `user_w${suffix}`)
    const membership = (fields: object) => ({
      ...{
        object: 'organization_membership',
        user_id: ada.externalId?.id,
        organization_id: `org_w${suffix}`,
      },
      ...{ status: 'active', role: { slug: 'member' }, ...fields },
    })
    const { code, stdout } = await importFile(
      'workos.jsonl',
      jsonLines([
        {
          object: 'list',
          data: [
            {
              ...{ object: 'organization', id: `org_w${suffix}`, name: `Überfilme ${suffix}` },
              domains: [{ object: 'organization_domain', domain: 'ueber.example', state: 'verified' }],
            },
          ],
          list_metadata: { after: null },
        },
        membership({}),
        membership({ user_id: 'user_pending', status: 'pending' }),
      ]),
      ...['--from', 'workos'],
    )
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Not moved: 1 domains\.\nNot moved: 1 memberships that are not active\.\n$/),
    ])
    expect(await rolesIn(`uberfilme-${suffix}`)).toEqual({ [ada.id]: ['member'] })
  })

  it('of Better Auth is moved from its tables', async () => {
    const [ada, bo] = [await addUser('shop', `b1${suffix}`), await addUser('shop', `b2${suffix}`)]
    const row = (user: typeof ada, role: string) => ({
      ...{ id: randomUUID(), organizationId: 7, userId: user.externalId?.id, role, createdAt: '2026-01-01' },
    })
    const tables = {
      user: [{ id: ada.externalId?.id }],
      invitation: [{ id: 'i1', email: 'x@example.com', inviterId: 'u', organizationId: 7, role: 'member' }],
      member: [row(ada, 'owner'), row(bo, 'admin, member')],
      organization: [{ id: 7, name: 'Lark', slug: `lark-${suffix}`, logo: null, metadata: null }],
    }
    const { code, stdout } = await importFile(
      'better-auth.json',
      JSON.stringify(tables),
      ...['--from', 'better-auth', '--source', 'shop'],
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 organization and 2 memberships imported/)])
    expect(stdout).toContain('Not moved: 1 invitations.')
    expect(await rolesIn(`lark-${suffix}`)).toEqual({ [ada.id]: ['owner'], [bo.id]: ['admin', 'member'] })
  })
})

describe('groups of this service', () => {
  it('become organizations with their members, and stay', async () => {
    const [ada, bo] = [await addUser(undefined, ''), await addUser(undefined, '')]
    const name = `Heron ${suffix}`
    const group = (await call('POST', 'groups', { name, permissions: [] })).body
    await call('POST', `groups/${group.id}/members`, { add: [ada.id, bo.id] })
    const content = jsonLines([
      { group: name.toUpperCase(), slug: `heron-${suffix}`, name: 'Heron' },
      { group: 'No such group', slug: `none-${suffix}` },
      { group: name, slug: '9-heron' },
      { group: name, slug: `other-${suffix}`, roles: ['chief'], extra: 1 },
    ])
    const dry = await importFile('groups.jsonl', content, '--from', 'groups', '--dry-run')
    expect([dry.code, dry.stdout]).toEqual([
      1,
      expect.stringMatching(/^1 organization and 2 memberships could/),
    ])
    const { code, file } = await importFile('groups.jsonl', content, '--from', 'groups')
    expect([code, await linesOfRefusals(file)]).toEqual([
      1,
      [
        [2, 'group'],
        [3, 'slug'],
        [3, 'organization'],
        [3, 'organization'],
        [4, 'extra'],
      ],
    ])
    expect(await rolesIn(`heron-${suffix}`)).toEqual({ [ada.id]: ['member'], [bo.id]: ['member'] })
    expect((await call('GET', `groups/${group.id}`)).body.name).toBe(name)
  })
})

describe('the arguments of the command', () => {
  it.each([
    [['--source', 'auth0'], '--source and --roles need --from.'],
    [['--from', 'auth0', '--roles', 'admin'], '--roles needs THERE=HERE for each role.'],
    [['--from', 'auth0', '--source', 'a b'], '--source '],
  ])('are refused: %j', (options, message) => {
    expect(() => readOrganizationsArguments(['import', 'none.jsonl', ...options])).toThrow(message)
  })
})
