import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { findMembership } from '../../lib/features/organizations/memberships.records.ts'
import { createRandom } from '../fuzz/random.ts'
import type { Answer } from '../support/client.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn } from '../support/people.ts'
import { addDirectory, schemas, storeConnection, type TestDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/*
 * Two directories, one of an organization and one of the whole service, send random requests about the same people, names and groups, and
 * about those of each other. A model of each directory knows who may change what. `SCIM_CALLS=20000 npx vitest run --project source-attacks
 * test/attacks/scim-storm.test.ts` sends as many.
 */

const { SCIM_CALLS = '300', SCIM_SEED = '1' } = process.env
const [calls, seed] = [Number(SCIM_CALLS), Number(SCIM_SEED)]
const service = await useService({ RATE_LIMITS: 'scimRequests=1000000/10' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

interface Person {
  readonly userName: string
  isActive: boolean
  /** The person of the world who has the name, if they were the first with it. */
  readonly knownAs: number | undefined
}

/** A directory, and what it has sent. */
interface Model {
  readonly directory: TestDirectory
  readonly people: Map<string, Person>
  readonly groups: Map<string, { name: string; readonly members: Set<string> }>
  readonly deleted: string[]
}

const random = createRandom(seed)
const pick = <Value>(list: readonly Value[]): Value => {
  const found = list[random.below(list.length)]
  if (found === undefined) throw new Error('the list is empty')
  return found
}

it('two directories change what is theirs, and nothing else', async () => {
  const { id: organizationId } = await addOrganization(service, admin)
  const open = async (fields: object): Promise<Model> => ({
    directory: await addDirectory(service, await storeConnection(service, fields), {}, admin),
    ...{ people: new Map(), groups: new Map(), deleted: [] },
  })
  const [own, whole] = [await open({ organization_id: organizationId }), await open({})]
  const models = [own, whole]
  const world = await Promise.all(
    Array.from({ length: 6 }, async (_, at) => {
      const { user } = await addMember(service, admin, organizationId, ['member'])
      const userName = `person-${at}@directory.example`
      for (const { directory } of models)
        await table.transact(
          buildCompanyAccountSteps(
            { providerId: directory.connectionId, nameId: userName, qualifiers: [] },
            {
              userId: user.id,
              groups: [],
              linkedAt: Date.now(),
              shownName: userName,
              deletedUserId: undefined,
            },
          ),
        )
      return { userId: user.id, userName, before: await findUser(table, user.id) }
    }),
  )
  const names = [...world.map(({ userName }) => userName), 'stranger-1', 'stranger-2', 'stranger-3']
  const groupNames = ['Editors', 'EDITORS', 'Owners', 'Camera']
  const history: string[] = []
  const expectStatus = ({ status, text }: Answer, expected: number): void =>
    expect(status, `${history.slice(-5).join('\n')}\n${text}`).toBe(expected)
  const isTaken = (taken: Iterable<string>, name: string) =>
    [...taken].some((one) => one.toLowerCase() === name.toLowerCase())

  /** IDs of the directory, of the other one, deleted ones, and ones of nobody. */
  const pickId = (of: 'people' | 'groups', model: Model): string => {
    const other = model === own ? whole : own
    return pick([
      ...model[of].keys(),
      ...model[of].keys(),
      ...other[of].keys(),
      ...model.deleted,
      randomUUID(),
    ])
  }

  const createUser = async ({ directory, people }: Model) => {
    const userName = pick(names)
    const active = random.below(4) > 0
    const answer = await directory.addUser({ userName, externalId: `x-${userName}`, active })
    if (
      isTaken(
        [...people.values()].map((one) => one.userName),
        userName,
      )
    )
      return expectStatus(answer, 409)
    expectStatus(answer, 201)
    const knownAs = world.find((one) => one.userName === userName)?.userId
    people.set(answer.body.id, { userName, isActive: answer.body.active, knownAs })
    expect(answer.body.active).toBe(active)
  }
  const setActive = async (model: Model) => {
    const id = pickId('people', model)
    const active = random.below(2) > 0
    const person = model.people.get(id)
    const answer =
      random.below(2) > 0
        ? await model.directory.patch(id, { active })
        : await model.directory.call('PUT', `/Users/${id}`, {
            ...{ schemas: [schemas.user], userName: person?.userName ?? 'x' },
            ...{ externalId: `x-${person?.userName}`, active },
          })
    expectStatus(answer, person ? 200 : 404)
    if (person) person.isActive = active
  }
  const deleteUser = async (model: Model) => {
    const id = pickId('people', model)
    expectStatus(await model.directory.call('DELETE', `/Users/${id}`), model.people.has(id) ? 204 : 404)
    if (!model.people.delete(id)) return
    model.deleted.push(id)
    for (const { members } of model.groups.values()) members.delete(id)
  }
  const createGroup = async ({ directory, groups }: Model) => {
    const displayName = pick(groupNames)
    const answer = await directory.call('POST', '/Groups', { schemas: [schemas.group], displayName })
    if (
      isTaken(
        [...groups.values()].map(({ name }) => name),
        displayName,
      )
    )
      return expectStatus(answer, 409)
    expectStatus(answer, 201)
    groups.set(answer.body.id, { name: displayName, members: new Set() })
  }
  const changeMembers = async (model: Model) => {
    const [id, member] = [pickId('groups', model), pickId('people', model)]
    const group = model.groups.get(id)
    const op = pick(['add', 'remove'] as const)
    const answer = await model.directory.call('PATCH', `/Groups/${id}`, {
      schemas: [schemas.patch],
      Operations: [
        op === 'add'
          ? { op, path: 'members', value: [{ value: member }] }
          : { op, path: `members[value eq "${member}"]` },
      ],
    })
    if (!group) return expectStatus(answer, 404)
    const isKnown = model.people.has(member)
    expectStatus(answer, op === 'add' && !isKnown ? 400 : 204)
    if (op === 'remove') group.members.delete(member)
    else if (isKnown) group.members.add(member)
  }
  const deleteGroup = async (model: Model) => {
    const id = pickId('groups', model)
    const isKnown = model.groups.delete(id)
    expectStatus(await model.directory.call('DELETE', `/Groups/${id}`), isKnown ? 204 : 404)
    if (isKnown) model.deleted.push(id)
  }
  const actions = [
    ...[createUser, createUser, setActive, setActive, setActive, deleteUser],
    ...[createGroup, changeMembers, changeMembers, deleteGroup],
  ]

  const check = async ({ directory, people, groups }: Model) => {
    const users = (await directory.call('GET', '/Users')).body
    const shown = users.Resources.map((one: { id: string; userName: string; active: boolean }) => [
      ...[one.id, one.userName, one.active],
    ])
    const known = [...people].map(([id, { userName, isActive }]) => [id, userName, isActive])
    expect(shown.sort(), history.slice(-20).join('\n')).toEqual(known.sort())
    for (const [id, { name, members }] of groups) {
      const { body } = await directory.call('GET', `/Groups/${id}`)
      expect(body.displayName).toBe(name)
      expect(body.members.map(({ value }: { value: string }) => value).sort()).toEqual([...members].sort())
    }
    expect((await directory.call('GET', '/Groups')).body.totalResults).toBe(groups.size)
  }
  /** The organization has its members by its own directory alone, and no directory changes what an account is. */
  const checkAccounts = async () => {
    for (const { userId, before } of world) {
      const person = [...own.people.values()].find(({ knownAs }) => knownAs === userId)
      const wasSent = person !== undefined || left.has(userId)
      const isMember = (await findMembership(table, { userId, organizationId })) !== undefined
      expect(isMember, `${userId}\n${history.slice(-20).join('\n')}`).toBe(
        wasSent ? person?.isActive === true : true,
      )
      const { username, email, permissions, groups, is_enabled } = before ?? {}
      expect(await findUser(table, userId)).toMatchObject({
        username,
        email,
        permissions,
        groups,
        is_enabled,
      })
    }
  }
  const left = new Set<number>()

  for (let sent = 0; sent < calls; sent++) {
    const model = pick(models)
    const action = pick(actions)
    history.push(`${sent} ${model === own ? 'own' : 'whole'} ${action.name}`)
    await action(model)
    for (const { knownAs } of own.people.values()) if (knownAs !== undefined) left.add(knownAs)
    if (sent % 50 !== 49) continue
    for (const one of models) await check(one)
    await checkAccounts()
  }
  expect(left.size).toBeGreaterThan(0)
}, 7_200_000)
