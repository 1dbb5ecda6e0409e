import { afterAll, describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../lib/features/directory/deletion/delete-account.ts'
import { isNeverSignedIn } from '../../../lib/features/directory/deletion/delete-user.records.ts'
import { EditConflict } from '../../../lib/kernel/table/transaction.ts'
import { addPerson, addSignedIn } from '../../support/people.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, linesOf, makeFolder, refusalsOf, runUsers, signInAs } from '../command.ts'
import { createMigration, exportOf } from './run-migration.ts'

const service = await useService()
const folder = makeFolder()
const migration = createMigration(service, folder)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterAll(() => folder.remove())

const password = 'correct horse better auth'
const importBetterAuth = (source: string) =>
  migration.run(
    ...['from-better-auth', exportOf('better-auth.json'), '--source', source, '--yes'],
    ...['--report', `${folder.path}/report`],
  )
const undo = (source: string, ...options: readonly string[]) =>
  migration.run('undo', '--source', source, ...options)
const findId = async (username: string) => (await migration.findUser(username))?.id

describe('undo', () => {
  it('deletes the users of a source who never signed in, after it showed their number', async () => {
    expect((await importBetterAuth('undone')).code).toBe(0)
    await migration.runOn('cognito', { Users: [{ Username: 'undo-other' }] }, '--yes')
    expect((await signInAs(service, 'better_named', password)).status).toBe(200)
    const deletedId = await findId('better-plain@example.com')

    const preview = await undo('undone')
    expect(preview).toMatchObject({ code: 0, stderr: '' })
    expect(preview.stdout).toBe(
      '4 users of undone never signed in. 1 user of this source will stay.\nNothing was deleted. Pass --yes to delete.\n',
    )
    expect(await findId('better-plain@example.com')).toBe(deletedId)
    const done = await undo('undone', '--yes')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('4 users deleted. 1 user of this source will stay.\n')

    expect(await findId('better-plain@example.com')).toBeUndefined()
    expect(await findId('better_named')).toBeDefined()
    expect(await findId('undo-other')).toBeDefined()
    expect((await signInAs(service, 'better-plain@example.com', password)).status).toBe(401)
    const { body } = await service.client('GET', `/api/2/auth/audit-events?user=${deletedId}`, {
      bearer: admin.bearer,
    })
    expect(body.map(({ event }: { event: string }) => event)).toContain('user.deleted')
    expect((await undo('undone', '--yes')).stdout).toBe(
      '0 users of undone never signed in. 1 user of this source will stay.\n',
    )
  })

  it('lets the same export be imported again', async () => {
    const { code, stdout } = await importBetterAuth('undone')
    expect(code).toBe(0)
    expect(stdout).toContain('4 users imported')
    expect(stdout).toContain('1 user had been imported before.')
  })

  it('keeps a user who signs in after they were read', async () => {
    const user = await migration.findUser('better-plain@example.com')
    if (!user) throw new Error('The user is missing.')
    expect((await signInAs(service, user.username, password)).status).toBe(200)
    const context = { address: '', userAgent: '', requestId: 'undo', actor: null, at: Date.now() }
    await expect(deleteAccount(service.services, user, context, isNeverSignedIn)).rejects.toThrow(
      EditConflict,
    )
    expect(await findId(user.username)).toBe(user.id)
  })

  it.each([
    [[], 'undo needs --source NAME'],
    [['--source', 'No Name'], '--source must be up to 40 lower-case letters'],
  ])('needs the name of a source: %j', async (options, sentence) => {
    const { code, stderr } = await migration.run('undo', ...options)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) })
  })
})

describe('the ID of another system', () => {
  const file = () =>
    migration.runOn('keycloak', { users: [{ id: 'ext-1', username: 'ext-ada' }] }, '--yes', '--source', 'ext')

  it('is shown to those who manage users, and part of an export', async () => {
    expect((await file()).code).toBe(0)
    const { bearer } = admin
    const external_id = { source: 'ext', id: 'ext-1' }
    const id = await findId('ext-ada')
    expect((await service.client('GET', `/api/2/users/${id}`, { bearer })).body).toMatchObject({
      external_id,
    })
    const { body } = await service.client('GET', '/api/2/users?username=ext-ada', { bearer })
    expect(body).toMatchObject([{ external_id }])
    const find = (query: string) => service.client('GET', `/api/2/users?${query}`, { bearer })
    expect((await find('external_id=ext:ext-1')).body).toMatchObject([{ id }])
    const others = [
      'ext:ext-2',
      'else:ext-1',
      '__proto__:ext-1',
      'ext ext-1',
      'ext:',
      'ext',
      ':',
      `ext:${'é'.repeat(600)}`,
    ]
    for (const other of [...others.map(encodeURIComponent), 'ext:ext-1&username=x'])
      expect(await find(`external_id=${other}`)).toMatchObject({ status: 200, body: [] })
    const own = await service.client('GET', `/api/2/users/${admin.user.id}`, { bearer })
    expect(own.body).not.toHaveProperty('external_id')
    // Clients send back what they read, and cannot change it.
    for (const body of [{ external_id: { source: 'ext', id: 'x' } }, { external_id: null }]) {
      const changed = await service.client('PATCH', `/api/2/users/${id}`, { bearer, body })
      expect(changed).toMatchObject({ status: 200, body: { external_id } })
    }

    const { stdout } = await runUsers(['export', '--table', service.tableName], environmentOf())
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ username: 'ext-ada', external_id }))
  })

  it('recognizes a user who was renamed since', async () => {
    const id = await findId('ext-ada')
    const body = { username: 'ext-renamed' }
    await service.client('PATCH', `/api/2/users/${id}`, { bearer: admin.bearer, body })
    expect((await file()).stdout).toContain('0 users imported.\n1 user had been imported before.\n')
    expect(await findId('ext-ada')).toBeUndefined()
  })

  it('is free again after its user was deleted', async () => {
    const id = await findId('ext-renamed')
    expect((await service.client('DELETE', `/api/2/users/${id}`, { bearer: admin.bearer })).status).toBe(204)
    expect((await file()).stdout).toContain('1 user imported')
  })

  it('belongs to one user of its source', async () => {
    const users = [
      { id: 'ext-1', username: 'ext-bo' },
      { id: 'ext-2', username: 'ext-cy' },
      { id: 'ext-2', username: 'ext-dy' },
      { id: 'x'.repeat(300), username: 'ext-ed' },
      // It would be the `sub` of the first user.
      { id: 'latchkey:1', username: 'ext-fy' },
    ]
    const { code, file } = await migration.runOn('keycloak', { users }, '--yes', '--source', 'ext')
    expect(code).toBe(1)
    expect(await refusalsOf(file)).toEqual([
      { line: 1, errors: [{ field: 'external_id', message: 'is the ID of another user' }] },
      { line: 3, errors: [{ field: 'external_id', message: 'is the same as on line 2' }] },
      { line: 4, errors: [{ field: 'external_id.id', message: 'must be at most 255 characters long' }] },
      { line: 5, errors: [{ field: 'external_id.id', message: 'must not begin with latchkey:' }] },
    ])
    const other = await migration.runOn('keycloak', { users: users.slice(0, 1) }, '--yes', '--source', 'else')
    expect(other.code).toBe(0)
  })

  it('leads to the user with whom its user was merged, whom an undo keeps', async () => {
    const users = ['m-1', 'm-2', 'm-3'].map((id) => ({ id, username: `merged-${id}` }))
    const imports = () => migration.runOn('keycloak', { users }, '--yes', '--source', 'moved')
    expect((await imports()).stdout).toContain('3 users imported')
    const { bearer } = admin
    const find = async (id: string) =>
      (await service.client('GET', `/api/2/users?external_id=moved:${id}`, { bearer })).body
    const ids = await Promise.all(users.map(({ username }) => findId(username)))
    const kept = (await addPerson(service)).user.id
    const merge = (into: unknown, user: unknown) =>
      service.client('POST', `/api/2/users/${into}/merge`, { bearer, body: { user } })
    // The second one takes an ID along that it got itself.
    expect((await merge(ids[1], ids[2])).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, () => merge(kept, ids[1])))
    expect(answers.map(({ status }) => status)).toContain(200)
    expect((await merge(kept, ids[0])).status).toBe(200)
    for (const { id } of users) expect(await find(id)).toMatchObject([{ id: kept }])
    expect(await find('m-1')).toMatchObject([{ external_id: { source: 'moved', id: 'm-2' } }])
    expect((await imports()).stdout).toContain('0 users imported.\n3 users had been imported before.\n')
    expect((await migration.run('undo', '--source', 'moved', '--yes')).stdout).toContain(
      '0 users of moved never signed in',
    )
    expect((await service.client('GET', `/api/2/users/${kept}`, { bearer })).status).toBe(200)
    expect((await service.client('DELETE', `/api/2/users/${kept}`, { bearer })).status).toBe(204)
    for (const { id } of users) expect(await find(id)).toEqual([])
    expect((await imports()).stdout).toContain('3 users imported')
  })
})
