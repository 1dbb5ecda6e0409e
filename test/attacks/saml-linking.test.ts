import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { awaitMails } from '../support/await-mails.ts'
import { TestBrowser } from '../support/browser.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  sessionOf,
  signInByConnection,
  startSignIn,
  type TestProvider,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* An identity provider that wants the account of somebody else, and a company whose people have accounts already. */

const domain = 'partner.example'
const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
const other = await addProvider(service, await makeIdp(), { auto_create_users: true })
await vouchForDomains(service, provider, [domain, 'bücher.example'])
await vouchForDomains(service, other, ['other.example'])

const newAddress = (at = domain) => `${randomUUID()}@${at}`
const accountsOf = async (id: number) => {
  const { table } = service.services
  const user = await findUser(table, id)
  return user ? findCompanyAccounts(table, user) : []
}

interface Attempt {
  readonly email: string
  readonly nameId?: string
  readonly by?: TestProvider
}

/** Signs in as somebody with this address. Returns the user of the session. */
const attempt = async ({ email, nameId = randomUUID(), by = provider }: Attempt) => {
  const { browser, target } = await startSignIn(service, by)
  const { form } = await by.idp.answer(target, { nameId, attributes: { email: [email] } })
  const answer = await browser.post(target.acsUrl, form)
  const session = sessionOf(answer)
  return {
    status: answer.status,
    text: answer.text,
    id: session === undefined ? undefined : await userOfSession(service, session),
  }
}

const refused = (given: Attempt) =>
  attempt(given).then(({ status, id, text }) => {
    expect([status, id]).toEqual([403, undefined])
    return text
  })

it('no long name or address is looked up, and none is stored', async () => {
  const long = 'a'.repeat(3000)
  await patchProvider(service, provider, {
    allowed_groups: ['staff-*'],
    auto_sync_groups: true,
    auto_create_groups: true,
  })
  for (const attributes of [
    { email: [`${long}@${domain}`] },
    { username: [long], email: [newAddress()] },
    { username: ['ü'.repeat(255)], displayname: [long] },
    { username: [randomUUID()], groups: [`staff-${long}`, long] },
  ]) {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, { nameId: randomUUID(), attributes })
    const answer = await browser.post(target.acsUrl, form)
    expect(answer.status).toBe(303)
    const id = await userOfSession(service, sessionOf(answer) ?? '')
    const user = id === undefined ? undefined : await findUser(service.services.table, id)
    expect([user?.username.length, user?.email?.length ?? 0].every((length = 0) => length <= 255)).toBe(true)
    expect(user?.groups).toEqual([])
  }
  await patchProvider(service, provider, {
    allowed_groups: null,
    auto_sync_groups: false,
    auto_create_groups: false,
  })
})

/** A page without what is random on it: the request number, names, and the address of the question that it leads to. */
const withoutIds = (page: string): string =>
  page.replaceAll(/[\da-f-]{36}/g, 'ID').replaceAll(/\/sign-in-question\/\d+\/[\w-]{32}/g, 'QUESTION')

describe('the first sign-in through a provider', () => {
  it('leads 40 people to the accounts that they have, and ends their other ways in', async () => {
    const people = await mapInBatches([...Array(40).keys()], 8, () =>
      addSignedIn(service, { email: newAddress() }),
    )
    await mapInBatches(people, 8, async ({ user }) => {
      const email = (user.email ?? '').toUpperCase()
      const nameId = randomUUID()
      expect((await attempt({ email, nameId })).id).toBe(user.id)
      // From now on, the name counts.
      expect((await attempt({ email: newAddress(), nameId })).id).toBe(user.id)
    })
    for (const { user, bearer } of people) {
      // What was there before could be another person's.
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
      expect(await findUser(service.services.table, user.id)).toMatchObject({
        ...{ email: user.email, username: user.username, passwordHash: null, verifiedBy: 'company' },
      })
      expect(await accountsOf(user.id)).toMatchObject([{ groups: [], linkedAt: expect.any(Number) }])
    }
    const { body: events } = await service.client(
      'GET',
      `/api/2/auth/audit-events?user=${people[0]?.user.id}`,
      {
        bearer: provider.admin,
      },
    )
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'company_account.linked', target: `saml:${provider.id} address` }),
    )
    await awaitMails(service)
    expect(service.mailbox.mailsTo(people[0]?.user.email ?? null).length).toBeGreaterThan(0)
  })

  it.each(['other.example', `mail.${domain}`, `evil-${domain}`, 'pаrtner.example', `${domain}.evil.example`])(
    'never leads to an account with an address in %s',
    async (foreign) => {
      const email = newAddress(foreign)
      const { user } = await addPerson(service, { email })
      await refused({ email })
      expect(await accountsOf(user.id)).toEqual([])
    },
  )

  it('never leads to an account that only looks or claims to have the address', async () => {
    const lookalike = await addPerson(service, { email: `${randomUUID()}@pаrtner.example` })
    const ascii = lookalike.user.email?.replace('а', 'a') ?? ''
    expect((await attempt({ email: ascii })).id).not.toBe(lookalike.user.id)
    const email = newAddress()
    const { user } = await addPerson(service, { email, emailVerified: false })
    await refused({ email })
    expect(await accountsOf(user.id)).toEqual([])
  })

  it('never leads to an account with rights, or one that is disabled or has expired', async () => {
    const group = await service.client('POST', '/api/2/groups', {
      bearer: provider.admin,
      body: { name: randomUUID(), permissions: ['users:manage'], members: [] },
    })
    const texts = new Set<string>()
    for (const fields of [
      { permissions: ['system:admin-access'] },
      { permissions: ['users:manage'] },
      { groups: [group.body.id] },
      { is_enabled: false },
      { expiresAt: Date.now() - 1 },
    ]) {
      const email = newAddress()
      const { user } = await addPerson(service, { email, ...fields })
      texts.add(withoutIds(await refused({ email })))
      expect(await accountsOf(user.id)).toEqual([])
    }
    await patchProvider(service, provider, { auto_create_users: false })
    texts.add(withoutIds(await refused({ email: newAddress() })))
    await patchProvider(service, provider, { auto_create_users: true })
    // No one learns which addresses have an account, or why it is refused.
    expect(texts.size).toBe(1)
  })

  it('needs a domain that counts at this moment', async () => {
    const dns = await startDnsServer()
    try {
      const bearer = provider.admin
      const path = `/api/2/auth/connections/${provider.id}/domains`
      const [pending, added] = [
        'pending.example',
        await service.client('POST', path, { bearer, body: { domain: 'pending.example' } }),
      ]
      const people = [await addPerson(service, { email: newAddress(pending) })]
      await refused({ email: people[0]?.user.email ?? '' })
      dns.answers.set(added.body.txt_name, [Buffer.from(added.body.txt_value)])
      const check = () => service.client('POST', `${path}/${pending}/check`, { bearer })
      expect((await check()).body.state).toBe('proven')
      expect((await attempt({ email: people[0]?.user.email ?? '', nameId: 'early' })).id).toBe(
        people[0]?.user.id,
      )
      dns.answers.clear()
      expect((await check()).body.state).toBe('lost')
      people.push(await addPerson(service, { email: newAddress(pending) }))
      await refused({ email: people[1]?.user.email ?? '' })
      // A lost proof ends no sign-in that works.
      expect((await attempt({ email: newAddress(), nameId: 'early' })).id).toBe(people[0]?.user.id)
    } finally {
      dns.close()
    }
  })

  it('never connects a second name, and no name again after it was removed', async () => {
    const person = await addSignedIn(service, { email: newAddress() })
    const email = person.user.email ?? ''
    const nameId = randomUUID()
    expect((await attempt({ email, nameId })).id).toBe(person.user.id)
    await refused({ email })
    await refused({ email, by: other, nameId })
    const path = `/api/2/users/${person.user.id}/company-accounts`
    const { body } = await service.client('GET', path, { bearer: provider.admin })
    const removed = await service.client('DELETE', `${path}/${body[0].id}`, { bearer: provider.admin })
    expect(removed.status).toBe(204)
    await refused({ email, nameId })
    expect(await accountsOf(person.user.id)).toEqual([])
  })

  it('never connects a second name to a user whom the provider created', async () => {
    const email = newAddress()
    expect((await attempt({ email })).id).toBeDefined()
    await refused({ email })
  })

  it('connects one of several names at the same time, and each assertion works once', async () => {
    const { user } = await addPerson(service, { email: newAddress() })
    const email = user.email ?? ''
    const same = randomUUID()
    const results = await Promise.all(
      [same, same, randomUUID(), randomUUID()].map((nameId) => attempt({ email, nameId })),
    )
    const ids = results.flatMap(({ id }) => id ?? [])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids)).toEqual(new Set([user.id]))
    expect(await accountsOf(user.id)).toHaveLength(1)
    const replayed = await addPerson(service, { email: newAddress() })
    const { browser, target } = await startSignIn(service, provider)
    const facts = { nameId: randomUUID(), attributes: { email: [replayed.user.email ?? ''] } }
    const { form } = await provider.idp.answer(target, facts)
    const first = await browser.post(target.acsUrl, form)
    expect(sessionOf(first)).toBeDefined()
    expect(sessionOf(await new TestBrowser(service).post(target.acsUrl, form))).toBeUndefined()
  })

  it('still creates a user for an address that no user has, or that only a provider claims', async () => {
    const email = newAddress()
    const claim = await attempt({ email: newAddress('unproven.example'), by: other })
    expect(claim.id).toBeDefined()
    const { id } = await attempt({ email })
    expect((await findUser(service.services.table, id ?? 0))?.email).toBe(email)
    await expect(signInByConnection(service, other, { attributes: { email: [email] } })).rejects.toThrow(
      '403',
    )
  })
})

describe('the page of a refused sign-in', () => {
  const refuse = async (email: string) => {
    const { browser, target } = await startSignIn(service, provider, '?return_to=/account')
    const facts = { nameId: randomUUID(), attributes: { email: [email] } }
    const answer = await browser.post(target.acsUrl, (await provider.idp.answer(target, facts)).form)
    expect([answer.status, sessionOf(answer)]).toEqual([403, undefined])
    return answer.text
  }

  it('names the account at the provider as text, and is the same for addresses of no one', async () => {
    await patchProvider(service, provider, { auto_create_users: false })
    const admin = await addPerson(service, { email: newAddress(), permissions: ['system:admin-access'] })
    const of = async (email: string) => withoutIds((await refuse(email)).replaceAll(email, 'EMAIL'))
    expect(await of(admin.user.email ?? '')).toBe(await of(newAddress()))
    const text = await refuse('"><script>alert(1)</script>@evil.example')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&lt;script&gt;alert')
    await patchProvider(service, provider, { auto_create_users: true })
  })
})

describe('an administrator who links accounts', () => {
  const link = (id: number, name: string, bearer = provider.admin, providerId = provider.id) =>
    service.client('POST', `/api/2/users/${id}/company-accounts`, {
      bearer,
      body: { provider: providerId, name },
    })
  const attemptAs = (nameId: string) => attempt({ email: newAddress('nowhere.example'), nameId })

  it('lets a name sign a user in, once and without an address', async () => {
    const { user } = await addPerson(service)
    const name = randomUUID()
    const first = await link(user.id, name)
    expect([first.status, first.body.name, first.body.provider.id]).toEqual([201, name, provider.id])
    expect((await link(user.id, name)).status).toBe(200)
    expect((await attemptAs(name)).id).toBe(user.id)
    expect(await accountsOf(user.id)).toHaveLength(1)
    const removed = await service.client(
      'DELETE',
      `/api/2/users/${user.id}/company-accounts/${first.body.id}`,
      {
        bearer: provider.admin,
      },
    )
    expect(removed.status).toBe(204)
    expect((await attemptAs(name)).id).not.toBe(user.id)
  })

  it('takes no account of another user, also a hundred times at once', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(service)))
    const name = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => link(people[at % 10]?.user.id ?? 0, name)),
    )
    const owners = answers.filter(({ status }) => status < 300).map(({ body }) => body.name)
    expect(owners.length).toBeGreaterThan(0)
    const holders = await Promise.all(people.map(async ({ user }) => (await accountsOf(user.id)).length))
    expect(holders.reduce((sum, count) => sum + count)).toBe(1)
    const refused = answers.find(({ body }) => body.reason === 'account_taken')
    expect(refused?.status).toBe(409)
  })

  it('controls the permissions of the user, and is no API token, and no guest gets one', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const admin = await addPerson(service, { permissions: ['system:admin-access'] })
    expect((await link(admin.user.id, randomUUID(), manager.bearer)).status).toBe(403)
    expect((await link(admin.user.id, randomUUID())).status).toBe(201)
    expect((await link((await addPerson(service)).user.id, randomUUID(), manager.bearer)).status).toBe(201)
  })

  it('names a connection and a person', async () => {
    const { user } = await addPerson(service)
    const fields = async (name: string, id = provider.id) =>
      (await link(user.id, name, provider.admin, id)).body.errors?.map(
        ({ field }: { field: string }) => field,
      )
    expect(await fields('x', 2 ** 31 - 1)).toEqual(['provider'])
    for (const name of ['', ' x', 'a\u202eb', 'x'.repeat(256)]) expect(await fields(name)).toEqual(['name'])
    expect((await link(2 ** 31 - 1, 'x')).status).toBe(404)
    for (let at = 0; at < 20; at++) expect((await link(user.id, `n${at}-${user.id}`)).status).toBe(201)
    expect((await link(user.id, 'one too many')).status).toBe(409)
  })
})
