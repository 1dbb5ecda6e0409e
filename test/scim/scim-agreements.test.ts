import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { companyKinds } from '../support/company-sign-in.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { sessionOf, userOfSession, vouchForDomains } from '../support/saml.ts'
import { addDirectory } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/* Accounts that were there before the directory sent their people: it changes their names once the users agreed. */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' }, { sendsMail: false })
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
const [company] = companyKinds
if (!company) throw new Error('there is a kind of connections')

const addCompany = async () => {
  const domain = `${randomUUID()}.example`
  const added = closeAfterTests(await company.add(service, 'Acme', { auto_create_users: true }))
  await vouchForDomains(service, { id: added.id, admin: admin.bearer }, [domain])
  const directory = await addDirectory(service, added.id, {}, admin)
  const signIn = async (account: string) => {
    const browser = new TestBrowser(service)
    const bearer = sessionOf(await (await added.start(browser))(account)) ?? ''
    const { body } = await service.client('GET', '/api/2/users/me', { bearer })
    return { bearer, user: { id: body.id as number, email: body.email as string } }
  }
  /** Somebody who had an account before the directory sent them. */
  const adopt = async (fields: object = { displayName: 'Ada of Acme' }) => {
    const email = `${randomUUID()}@${domain}`
    const { user } = await addPerson(service, { email, full_name: 'Ada' })
    const { body } = await directory.addUser({ userName: email, externalId: randomUUID(), ...fields })
    const person = { ...(await signIn(email)), user }
    expect(await userOfSession(service, person.bearer)).toBe(user.id)
    const call = callAs(service, person)
    const path = `users/me/directories/${added.id}`
    return {
      ...{ person, email, call, path, id: body.id as string },
      ask: async () => (await call('GET', 'users/me/directories')).body,
      agree: async () => {
        const [{ shown }] = (await call('GET', 'users/me/directories')).body
        return call('PUT', path, { agrees: true, shown })
      },
      decline: () => call('PUT', path, { agrees: false }),
      name: async () => (await findUser(table, person.user.id))?.full_name,
    }
  }
  return { ...added, directory, adopt, signIn, domain }
}
const { id: connectionId, directory, adopt, signIn, domain } = await addCompany()
const rename = (id: string, displayName: string) => directory.patch(id, { displayName })

describe('a directory of people who had an account before', () => {
  it('changes no name until its user agrees, and then each name', async () => {
    const { id, ask, agree, name, email, person } = await adopt()
    await rename(id, 'Ada Lovelace')
    expect(await name()).toBe('Ada')
    expect(await ask()).toMatchObject([
      { id: connectionId, name: 'Acme', state: 'asked', full_name: 'Ada Lovelace' },
    ])
    const agreed = await agree()
    expect([agreed.status, agreed.body.state]).toEqual([200, 'agreed'])
    expect(await name()).toBe('Ada Lovelace')
    await rename(id, 'Ada King')
    expect(await name()).toBe('Ada King')
    // Neither the address nor the username.
    const moved = `${randomUUID()}@${domain}`
    await directory.patch(id, { userName: moved, emails: [{ value: moved, primary: true }] })
    expect(await findUser(table, person.user.id)).toMatchObject({ email, username: person.user.username })
    expect((await findUser(table, person.user.id))?.pendingEmail).toBeUndefined()
  })

  it('keeps the name from other changes from then on, until the user takes it back', async () => {
    const { agree, decline, call, name, id } = await adopt()
    const rename = (full_name: string) => call('PATCH', 'users/me', { full_name })
    expect((await rename('Ada One')).status).toBe(200)
    await agree()
    const refused = await rename('Ada Two')
    expect([refused.status, refused.body.reason]).toEqual([409, 'managed_by_directory'])
    expect(refused.body.managed_by_directory).toEqual({
      ...{ connection: connectionId, name: 'Acme', fields: ['full_name'] },
    })
    expect((await call('GET', 'users/me')).body.kept_by_directories).toMatchObject([
      { connection: connectionId, fields: ['full_name'] },
    ])
    await decline()
    expect((await rename('Ada Three')).status).toBe(200)
    expect(await name()).toBe('Ada Three')
    await agree()
    await directory.patch(id, { active: false })
    expect((await directory.patch(id, { active: true })).status).toBe(200)
  })

  it('changes nothing after the user declined or took it back, and again after they agree', async () => {
    const { id, ask, agree, decline, name } = await adopt()
    expect((await decline()).body.state).toBe('declined')
    await rename(id, 'One')
    expect(await name()).toBe('Ada')
    await agree()
    expect(await name()).toBe('One')
    await decline()
    await rename(id, 'Two')
    expect([await name(), (await ask())[0].state]).toEqual(['One', 'declined'])
  })

  it('writes who answered, and who changed the name', async () => {
    const { id, agree, decline, person } = await adopt()
    await agree()
    await agree()
    await decline()
    const { body } = await asAdmin('GET', `auth/audit-events?user=${person.user.id}&limit=20`)
    const events = body.filter(({ event }: { event: string }) => event.startsWith('scim.changes'))
    expect(events).toMatchObject([
      { event: 'scim.changes_declined', actor: person.user.id, target: `${connectionId} ${id}` },
      { event: 'scim.changes_agreed', actor: person.user.id, target: `${connectionId} ${id}` },
    ])
  })

  it('asks nobody whose account it brought, or whom no directory has, and who comes back anew', async () => {
    const brought = `${randomUUID()}@${domain}`
    await directory.addUser({ userName: brought, displayName: 'Brought' })
    const list = async (person: { readonly bearer: string }) =>
      (await callAs(service, person)('GET', 'users/me/directories')).body
    expect([await list(await signIn(brought)), await list(admin)]).toEqual([[], []])
    const externalId = randomUUID()
    const { id, email, agree, name } = await adopt({ displayName: 'Before', externalId })
    await agree()
    await directory.call('DELETE', `/Users/${id}`)
    await directory.addUser({ userName: email, externalId, displayName: 'Later' })
    expect(await list(await signIn(email))).toMatchObject([{ state: 'asked', full_name: 'Later' }])
    expect(await name()).toBe('Before')
  })
})

describe('somebody who wants a name to change without its user', () => {
  it('cannot answer for them: not as another user, and not for another directory', async () => {
    const { id, path, name, ask } = await adopt()
    const [{ shown }] = await ask()
    const other = await adopt()
    const stranger = callAs(service, await addSignedIn(service))
    for (const call of [stranger, asAdmin])
      expect((await call('PUT', path, { agrees: true, shown })).status).toBe(404)
    // The other user agrees to what this one was shown.
    const stolen = await other.call('PUT', path, { agrees: true, shown })
    expect([stolen.status, stolen.body.reason]).toEqual([409, 'decision_changed'])
    const second = await addCompany()
    expect((await other.call('PUT', `users/me/directories/${second.id}`, { agrees: false })).status).toBe(404)
    await rename(id, 'Changed')
    expect(await name()).toBe('Ada')
  })

  it('cannot answer with an API token, or while impersonating', async () => {
    const { path, call, person, ask, name } = await adopt()
    const body = { agrees: true, shown: (await ask())[0].shown }
    const { token } = (await call('POST', 'api-tokens', { name: 'all' })).body
    // The session acts as the user from then on.
    const actor = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const started = await callAs(service, actor)('POST', 'auth/impersonation', { user: person.user.id })
    expect([typeof token, started.status]).toEqual(['string', 204])
    for (const bearer of [token, actor.bearer]) {
      expect((await service.client('GET', '/api/2/users/me', { bearer })).body.id).toBe(person.user.id)
      expect((await service.client('PUT', `/api/2/${path}`, { bearer, body })).status).toBe(403)
      expect((await service.client('GET', '/api/2/users/me/directories', { bearer })).status).toBe(403)
    }
    expect(await name()).toBe('Ada')
  })

  it('is stopped if the directory has another name than the user saw', async () => {
    const { id, call, path, ask, name } = await adopt()
    const [{ shown }] = await ask()
    await rename(id, 'Something rude')
    const answer = await call('PUT', path, { agrees: true, shown })
    expect([answer.status, answer.body.reason]).toEqual([409, 'decision_changed'])
    await rename(id, 'Anything')
    expect([await name(), (await ask())[0].state]).toEqual(['Ada', 'asked'])
  })

  it('gets nothing by bodies that are no answer', async () => {
    const { call, path, ask, name } = await adopt()
    const [{ shown }] = await ask()
    for (const body of [
      {},
      { agrees: 'true', shown },
      { agrees: true },
      { agrees: true, shown: '' },
      { agrees: true, shown: 'x'.repeat(10_000) },
      { agrees: [true], shown },
      { agrees: true, shown, user: 1 },
    ])
      expect((await call('PUT', path, body)).status, JSON.stringify(body).slice(0, 80)).toBe(400)
    for (const id of ['0', '999999', '__proto__', '1e3'])
      expect([400, 404]).toContain(
        (await call('PUT', `users/me/directories/${id}`, { agrees: true, shown })).status,
      )
    expect(await name()).toBe('Ada')
  })

  it('changes nothing after a refusal, whatever happens at the same time', async () => {
    const { id, agree, decline, name } = await adopt()
    await agree()
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, (_, at) => rename(id, `Name ${at}`)),
      decline(),
    ])
    if (answers.at(-1)?.status !== 200) expect((await decline()).status).toBe(200)
    const kept = await name()
    await Promise.all(Array.from({ length: 10 }, (_, at) => rename(id, `Later ${at}`)))
    expect(await name()).toBe(kept)
  })

  it('decides once by a hundred answers at the same time', async () => {
    const { ask, agree, decline, name } = await adopt()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? agree() : decline())),
    )
    expect(answers.filter(({ status }) => ![200, 409, 429].includes(status))).toEqual([])
    expect((await decline()).status).toBe(200)
    expect((await ask())[0].state).toBe('declined')
    expect(['Ada', 'Ada of Acme']).toContain(await name())
  })

  it('cannot use the agreement for an account that this one became part of', async () => {
    const { id, agree, person } = await adopt()
    await agree()
    const kept = await addSignedIn(service, { full_name: 'Grace' })
    const merged = await asAdmin('POST', `users/${kept.user.id}/merge`, { user: person.user.id })
    expect(merged.status, merged.text).toBe(200)
    await rename(id, 'Ada')
    await rename(id, 'Not Grace')
    expect((await findUser(table, kept.user.id))?.full_name).toBe('Grace')
    expect((await callAs(service, kept)('GET', 'users/me/directories')).body).toMatchObject([
      { state: 'asked', full_name: 'Not Grace' },
    ])
  })
})
