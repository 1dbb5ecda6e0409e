import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { findNextPath, findNextUrl } from '../support/next-page.ts'
import { addPerson, addSignedIn, type Person, signIn } from '../support/people.ts'
import {
  addProvider,
  itemsIn,
  sessionOf,
  signInByConnection,
  startSignIn,
  userOfSession,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), {
  name: 'Example Corp',
  auto_create_groups: true,
  auto_sync_groups: true,
  allowed_groups: ['*'],
})
const other = await addProvider(service, await makeIdp(), { name: 'Other Corp' })

const own = '/api/2/users/me/company-accounts'
const list = async (bearer: string, path = own) => (await service.client('GET', path, { bearer })).body
const unlink = (bearer: string, id: number, path = own) =>
  service.client('DELETE', `${path}/${id}`, { bearer })

/** A user with a password who links an account at a provider. */
const addLinked = async (facts: AnswerFacts = { nameId: randomUUID() }, at = provider) => {
  const person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const bearer = await signIn(service, person)
  await link(person, facts, at)
  return { ...person, bearer, nameId: facts.nameId ?? '' }
}

const link = async (person: Person, facts: AnswerFacts, at = provider): Promise<void> => {
  const browser = new TestBrowser(service)
  const body = { username: person.user.username, password: person.password }
  browser.keep(await service.client('POST', '/api/2/auth/login', { body }))
  const start = await browser.get(`${at.loginUrl}?link=true`, 'same-origin')
  const request = at.idp.read(start.headers.get('location') ?? '', [at.own.pem])
  const answer = await at.idp.answer(at.idp.targetOf(request), facts)
  expect((await browser.post(at.assertionUrl, answer.form)).status).toBe(303)
}

const sessionAt = async (nameId: string): Promise<string | undefined> => {
  const { browser, target } = await startSignIn(service, provider)
  return sessionOf(await browser.post(target.acsUrl, (await provider.idp.answer(target, { nameId })).form))
}

describe('the list of connected accounts', () => {
  it('shows provider, a name that people recognize, and the last use', async () => {
    const attributes = { mail: 'olga@corp.example' }
    const { bearer, nameId } = await addLinked({ nameId: randomUUID(), attributes })
    const [account, ...none] = await list(bearer)
    expect(none).toEqual([])
    expect(account).toEqual({
      id: expect.any(Number),
      provider: { id: provider.id, name: 'Example Corp' },
      name: 'olga@corp.example',
      linked_at: expect.stringMatching(/^20/),
      last_used_at: null,
      from_directory: false,
    })
    await signInByConnection(service, provider, { nameId, attributes })
    const [used] = await list(bearer)
    expect(used).toEqual({ ...account, last_used_at: expect.stringMatching(/^20/) })
    await signInByConnection(service, provider, { nameId, attributes })
    // A second use within the hour is not stored.
    expect(await list(bearer)).toEqual([used])
  })

  it('shows the account that created a user, and the name of the identity provider without another', async () => {
    const nameId = `persistent-${randomUUID()}`
    const { session } = await signInByConnection(service, provider, { nameId, attributes: {} })
    expect(await list(session)).toMatchObject([
      { name: nameId, linked_at: null, last_used_at: expect.stringMatching(/^20/) },
    ])
  })

  it('keeps the name and the use when groups change', async () => {
    const { bearer, nameId } = await addLinked()
    await signInByConnection(service, provider, { nameId, attributes: { groups: 'press' } })
    const [account] = await list(bearer)
    await signInByConnection(service, provider, { nameId, attributes: { groups: 'film' } })
    expect(await list(bearer)).toEqual([account])
  })

  it('pages and orders', async () => {
    const person = await addLinked()
    await link(person, { nameId: randomUUID() }, other)
    const first = await service.client('GET', `${own}?ordering=-linked_at&limit=1`, { bearer: person.bearer })
    expect(first.body).toMatchObject([{ provider: { name: 'Other Corp' } }])
    expect(findNextUrl(first.headers)).toMatch(/^https:\/\/auth\.example\.com\/api\/2\//)
    const next = findNextPath(first.headers) ?? ''
    expect(await list(person.bearer, next)).toMatchObject([{ provider: { name: 'Example Corp' } }])
  })
})

describe('unlinking an account', () => {
  it('stops its sign-ins, ends other sessions and group memberships, and reports it by email', async () => {
    const { bearer, user, nameId } = await addLinked()
    const session = (await signInByConnection(service, provider, { nameId, attributes: { groups: 'crew' } }))
      .session
    const groups = async () => (await list(provider.admin, `/api/2/users/${user.id}`)).groups
    expect(await groups()).toHaveLength(1)
    const [{ id }] = await list(bearer)
    expect((await unlink(bearer, id)).status).toBe(204)
    expect(await userOfSession(service, session)).toBeUndefined()
    expect(await userOfSession(service, bearer)).toBe(user.id)
    expect(await groups()).toEqual([])
    expect(await list(bearer)).toEqual([])
    await expect
      .poll(() => service.mailbox.mailsTo(user.email))
      .toContainEqual(
        expect.objectContaining({ subject: 'A linked account was removed from yours – Latchkey' }),
      )
    const events = await list(provider.admin, `/api/2/auth/audit-events?user=${user.id}`)
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'company_account.unlinked', target: `saml:${provider.id}` }),
    )
    // The provider creates users, so the name at the provider belongs to a new one.
    expect(await userOfSession(service, (await sessionAt(nameId)) ?? '')).not.toBe(user.id)
    expect((await unlink(bearer, id)).status).toBe(404)
  })

  it('is refused for the last way to sign in, also of two that are unlinked at once', async () => {
    const nameId = randomUUID()
    const { session } = await signInByConnection(service, provider, { nameId })
    const [{ id }] = await list(session)
    const last = await unlink(session, id)
    expect([last.status, last.body.code, last.body.reason]).toEqual([409, 'conflict', 'last_sign_in_method'])
    expect(await sessionAt(nameId)).toBeDefined()

    const both = await addLinked()
    await link(both, { nameId: randomUUID() }, other)
    const fresh = (await signInByConnection(service, provider, { nameId: both.nameId })).session
    await service.services.table.update({ pk: `user#${both.user.id}`, sk: 'user' }, (x) => ({
      set: [`${x.path('passwordHash')} = ${x.value(null)}`],
    }))
    const ids = (await list(fresh)).map((account: { id: number }) => account.id)
    const answers = await Promise.all(ids.map((one: number) => unlink(fresh, one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(await list(fresh)).toHaveLength(1)
  })

  it('does nothing for a stolen session without a recent proof of identity, or with an account of another', async () => {
    const victim = await addLinked()
    const [{ id }] = await list(victim.bearer)
    // Its last proof of identity was long ago.
    for (const { pk, sk } of await itemsIn(service, 'session#'))
      if (pk === `user#${victim.user.id}`)
        await service.services.table.update({ pk, sk: String(sk) }, (x) => ({
          set: [`${x.path('authentication')} = ${x.value({ at: 1, methods: ['pwd'] })}`],
        }))
    const thief = await addLinked()
    expect((await unlink(thief.bearer, id)).status).toBe(404)
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    expect((await unlink(manager.bearer, id)).status).toBe(404)
    expect((await unlink(victim.bearer, id)).body.reason).toBe('reauthentication_required')
    expect(await list(victim.bearer)).toHaveLength(1)
  })

  it('is possible for managers of the user, even for the last way to sign in', async () => {
    const nameId = randomUUID()
    const { session } = await signInByConnection(service, provider, { nameId })
    const userId = await userOfSession(service, session)
    const path = `/api/2/users/${userId}/company-accounts`
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const [account] = await list(manager.bearer, path)
    expect(account).toMatchObject({ provider: { id: provider.id } })
    expect((await unlink(manager.bearer, account.id, path)).status).toBe(204)
    expect(await userOfSession(service, session)).toBeUndefined()
    expect(await list(manager.bearer, path)).toEqual([])
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const toAdmin = `/api/2/users/${admin.user.id}/company-accounts`
    await link(admin, { nameId: randomUUID() })
    const [ofAdmin] = await list(admin.bearer)
    expect((await unlink(manager.bearer, ofAdmin.id, toAdmin)).status).toBe(403)
  })

  it('wins over a sign-in at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const { bearer, user, nameId } = await addLinked()
      const [{ id }] = await list(bearer)
      const [session] = await Promise.all([sessionAt(nameId), unlink(bearer, id)])
      expect(session && (await userOfSession(service, session))).not.toBe(user.id)
      expect(await list(bearer)).toEqual([])
    }
  })
})
