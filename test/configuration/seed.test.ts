import { describe, expect, it } from 'vitest'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { applySeed, type Seeded } from '../../lib/features/configuration/seed.part.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, createContext, listProblems, unique } from './support.ts'

const service = await useService()
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const password = 'ada likes silent films'

const seed = async (input: object): Promise<readonly Seeded[]> => {
  const { seed: given = {} } = readDocument({ schema_version: 1, owner: 'shop', seed: input })
  const applied: Seeded[] = []
  for await (const one of applySeed(services, createContext(services), given)) applied.push(one)
  return applied
}
const actionsOf = (applied: readonly Seeded[]) =>
  applied.map(({ change: { kind, action } }) => `${action} ${kind}`)

/** A person with a token and a link. */
const createSeed = (name: string) => ({
  users: { [name]: { password, permissions: ['media:access'] } },
  api_tokens: { [name]: { owner: name, scopes: ['profile:view'] } },
  access_links: { [name]: { creator: name, user: name, bundles: [7] } },
})

describe('a seed', () => {
  it('changes nothing the second time, and only what was changed after that', async () => {
    const name = unique('ada')
    const all = createSeed(name)
    const [user, token] = await seed(all)
    expect(actionsOf(await seed(all))).toEqual(['none user', 'none api_token', 'none access_link'])
    const renamed = { ...all, users: { [name]: { ...all.users[name], full_name: 'Ada' } } }
    expect(actionsOf(await seed(renamed))).toEqual(['update user', 'none api_token', 'none access_link'])
    expect((await call('GET', `users/${user?.outputs['id']}`)).body).toMatchObject({ full_name: 'Ada' })
    const wider = { ...renamed, api_tokens: { [name]: { owner: name } } }
    const [, replaced] = await seed(wider)
    expect(replaced).toMatchObject({ change: { action: 'update' }, outputs: { token: expect.any(String) } })
    const askWith = (one: Seeded | undefined) =>
      call('GET', 'users/me', undefined, { bearer: String(one?.outputs['token']) })
    expect((await askWith(token)).status).toBe(401)
    expect((await askWith(replaced)).status).toBe(200)
  })

  it('makes again what somebody deleted, and takes over a user with the same name', async () => {
    const name = unique('bob')
    const { body: known } = await call('POST', 'users', { username: name, permissions: [], groups: [] })
    const [user] = await seed(createSeed(name))
    expect(user).toMatchObject({ change: { action: 'update' }, outputs: { id: known.id } })
    await call('DELETE', `users/${known.id}`)
    const [again] = await seed(createSeed(name))
    expect(again?.change.action).toBe('create')
    expect(again?.outputs['id']).not.toBe(known.id)
  })

  it.each<readonly [string, object, string]>([
    ['a field that does not exist', { people: {} }, 'seed.people is not recognized'],
    ['a group that nobody has', { users: { ada: { groups: ['nobody'] } } }, 'seed.users.ada.groups.0'],
    [
      'a password that is easy to guess',
      { users: { ada: { password: 'password' } } },
      'seed.users.ada.password',
    ],
    [
      'a permission without form',
      { users: { ada: { permissions: ['all'] } } },
      'seed.users.ada.permissions.0',
    ],
    ['a token of nobody', { api_tokens: { ci: { owner: 'nobody' } } }, 'seed.api_tokens.ci.owner'],
    ['a link without content', { users: { ada: {} }, access_links: { a: { creator: 'ada' } } }, 'bundles'],
    ['a name of a built-in member', { users: JSON.parse('{"__proto__":{}}') }, 'seed.users.__proto__'],
  ])('is refused with %s', async (_, input, problem) => {
    expect((await listProblems(() => seed(input))).join('; ')).toContain(problem)
  })

  it('is in no plan, so that a deployed service never makes its people', async () => {
    const name = unique('eve')
    await apply(services, { schema_version: 1, owner: name, seed: createSeed(name) })
    expect((await call('GET', `users?filter=${name}`)).body).toEqual([])
  })
})
