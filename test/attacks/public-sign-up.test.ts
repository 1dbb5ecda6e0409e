import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { getOpenInvitation } from '../../lib/accounts/users/invitation-state.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type OpenQuestion, openQuestion } from '../support/company-sign-in.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { acceptInvitation, findInvitation, storeInvitation } from '../support/invitations.ts'
import { addConnection, openCallback, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'

/* Who becomes a user by a public provider: people who accept the terms, and the invited. An attacker is neither. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startUpstream())
const other = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream)
const careless = await addPublicConnection(service, admin.bearer, other, {
  name: 'Careless',
  public_provider: 'oidc',
})
const url = 'https://www.example.com/terms'
const setTerms = async (version: string | null) => {
  const terms = { terms_version: version, terms_url: version === null ? null : url }
  const answer = await call('PUT', 'system/sign-up-policy', { mode: 'off', ...terms })
  expect(answer.status, answer.text).toBe(200)
}
const setFirstSignIn = async (first_sign_in: string) => {
  for (const one of [google, careless]) expect((await one.change({ first_sign_in })).status).toBe(200)
}
const { table } = service.services
const readStored = async (id: number | undefined) => {
  const user = await findUser(table, id ?? 0)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const newAddress = (at = 'gmail.com') => `${randomUUID()}@${at}`
const send = (browser: TestBrowser, { path, page }: OpenQuestion, fields: object): Promise<Answer> =>
  browser.post(path, { ...readHiddenFields(page), answer: 'yes', ...fields }, 'same-origin')

beforeEach(async () => {
  await setTerms(null)
  await setFirstSignIn('ask')
})

describe('the terms of the sign-up policy', () => {
  const ask = async (account: object = newGoogleAccount(), first = 'ask') => {
    await setFirstSignIn(first)
    const { browser, answer, user } = await google.signIn({ ...account })
    expect([answer.status, user]).toEqual([303, undefined])
    return { browser, question: await openQuestion(browser, answer) }
  }
  const isAsked = async (answer: Answer, version: string) => {
    expect([answer.status, await readUser(service, answer)]).toEqual([200, undefined])
    expect(answer.text).toContain(`value="${version}"`)
  }

  it.each(['ask', 'create'])('are accepted before there is an account, with %s', async (first) => {
    await setTerms('2026-01')
    const account = newGoogleAccount()
    const { browser, question } = await ask(account, first)
    expect(question.page.text).toContain(`<a href="${url}" target="_blank" rel="noopener">`)
    const wrong = [{}, { terms: '' }, { terms: '2025-01' }, { terms: 'on' }, { terms: '2026-01 ' }]
    for (const fields of wrong) await isAsked(await send(browser, question, fields), '2026-01')
    expect((await google.signIn(account)).user).toBeUndefined()
    const before = service.services.now()
    const done = await send(browser, question, { terms: '2026-01' })
    const user = await readStored(await readUser(service, done))
    expect(user.acceptedTerms).toEqual({ version: '2026-01', at: expect.any(Number) })
    expect(user.acceptedTerms?.at).toBeGreaterThanOrEqual(before)
    const { body } = await call('GET', `users/${user.id}`)
    expect(body.accepted_terms).toMatchObject({ version: '2026-01' })
    // They are accepted once.
    await setTerms('2026-02')
    expect((await google.signIn(account)).user).toBe(user.id)
  })

  it('that changed while the page was open are asked again', async () => {
    await setTerms('1')
    const { browser, question } = await ask()
    await setTerms('2')
    for (const terms of ['1', '2']) await isAsked(await send(browser, question, { terms }), '2')
    const [page] = [await browser.get(question.path, 'same-origin')]
    const done = await send(browser, { ...question, page }, { terms: '2' })
    expect((await readStored(await readUser(service, done))).acceptedTerms?.version).toBe('2')
  })

  it('that came or went while the page was open are asked again', async () => {
    const none = await ask()
    await setTerms('1')
    for (const fields of [{}, { terms: '1' }])
      await isAsked(await send(none.browser, none.question, fields), '1')
    const some = await ask()
    await setTerms(null)
    const again = await send(some.browser, some.question, { terms: '1' })
    expect([again.status, await readUser(service, again)]).toEqual([200, undefined])
    expect(again.text).not.toContain('name="terms"')
    const page = await some.browser.get(some.question.path, 'same-origin')
    const done = await send(some.browser, { ...some.question, page }, {})
    expect((await readStored(await readUser(service, done))).acceptedTerms).toBeUndefined()
  })

  it('do not get into the page as markup', async () => {
    await setTerms('1"><script>alert(1)</script>')
    const { question } = await ask()
    expect(question.page.text).not.toContain('<script>alert')
  })

  it('are accepted once by 10 answers at the same time, in the browser that began', async () => {
    await setTerms('1')
    const { browser, question } = await ask()
    expect((await send(new TestBrowser(service), question, { terms: '1' })).status).toBe(401)
    const crossSite = await browser
      .clone()
      .post(question.path, { ...readHiddenFields(question.page), answer: 'yes', terms: '1' }, 'cross-site')
    expect(crossSite.status).toBe(403)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(browser.clone(), question, { terms: '1' })),
    )
    const users = await Promise.all(answers.map((answer) => readUser(service, answer)))
    expect(users.filter((user) => user !== undefined)).toHaveLength(1)
  })

  it('refuse nothing to those who do not create an account: a company, and a refusal', async () => {
    await setTerms('1')
    const company = closeAfterTests(await startUpstream())
    const { id } = await addConnection(service, admin.bearer, company.issuer, { auto_create_users: true })
    const browser = new TestBrowser(service)
    const started = await browser.get(`/api/2/auth/oidc-connections/${id}/start`, 'same-origin')
    const location = started.headers.get('location') ?? ''
    const answer = await openCallback(browser, company.authorize(location, { sub: randomUUID() }))
    expect(await readUser(service, answer)).toBeDefined()
    const { browser: refusing, question } = await ask()
    const refused = await refusing.post(
      question.path,
      { ...readHiddenFields(question.page), answer: 'no' },
      'same-origin',
    )
    expect([refused.status, await readUser(service, refused)]).toEqual([303, undefined])
  })
})

/** Someone whom an administrator invited, with the token of their link. */
const addInvited = async (email = newAddress(), fields: object = {}, invitation: object = {}) => {
  const { user } = await addPerson(service, { email, emailVerified: false, ...fields })
  return {
    user,
    email,
    token: await storeInvitation(service, user.id, { invitedBy: admin.user.id, ...invitation }),
  }
}
const isOpen = async (id: number) => getOpenInvitation(await readStored(id)) !== undefined

describe('the mode for the invited', () => {
  beforeEach(() => setFirstSignIn('invited'))

  it('lets the owner of the invited address in, and nobody else', async () => {
    const { user, email } = await addInvited()
    const attackers = [
      [google, newGoogleAccount()],
      [google, newGoogleAccount({ email, email_verified: false })],
      [google, newGoogleAccount({ email, email_verified: 'true' })],
      [google, newGoogleAccount({ email: [email] })],
      [google, newGoogleAccount({ email: `${email}.example` })],
      [google, newGoogleAccount({ email: newAddress('team.example'), hd: 'team.example' })],
      [google, newGoogleAccount({ preferred_username: email })],
      [careless, newGoogleAccount({ email })],
      [careless, newGoogleAccount({ email, hd: 'gmail.com' })],
    ] as const
    const seen = []
    for (const [connection, account] of attackers) {
      const refused = await connection.signIn(account)
      expect([refused.answer.status, refused.user]).toEqual([403, undefined])
      seen.push(refused.answer.text.includes('need an invitation'))
    }
    expect(new Set(seen)).toEqual(new Set([true]))
    expect(await isOpen(user.id)).toBe(true)
    const account = newGoogleAccount({ email: email.toUpperCase() })
    expect((await google.signIn(account)).user).toBe(user.id)
    const accepted = await readStored(user.id)
    expect([accepted.email, accepted.emailVerified, await isOpen(user.id)]).toEqual([email, undefined, false])
    expect((await google.signIn(account)).user).toBe(user.id)
    // Another account with the same address is another identity.
    expect((await google.signIn(newGoogleAccount({ email }))).user).toBeUndefined()
  })

  it.each<readonly [string, Parameters<typeof addInvited>]>([
    ['expired', [undefined, {}, { expiresAt: 1 }]],
    ['accepted', [undefined, {}, { acceptedAt: 1 }]],
    ['of another address', [undefined, {}, { normalizedEmail: 'x@gmail.com' }]],
    ['of an earlier epoch', [undefined, {}, { credentialEpoch: 99 }]],
    ['of a disabled user', [undefined, { is_enabled: false }]],
    ['of an administrator', [undefined, { permissions: ['system:admin-access'] }]],
    ['of someone who manages users', [undefined, { permissions: ['users:manage'] }]],
    ['of someone who cannot have a password', [undefined, { allow_changing_password: false }]],
  ])('does not take an invitation that is %s', async (_, invited) => {
    const { user, email } = await addInvited(...invited)
    const refused = await google.signIn(newGoogleAccount({ email }))
    expect([refused.answer.status, refused.user]).toEqual([403, undefined])
    expect((await readStored(user.id)).emailVerified).toBe(false)
  })

  it('is no way into an account without an invitation, of any kind', async () => {
    const kinds: readonly Parameters<typeof addPerson>[1][] = [
      {},
      { emailVerified: false },
      { passwordHash: null },
      { is_enabled: false },
    ]
    for (const fields of kinds) {
      const email = newAddress()
      await addPerson(service, { email, ...fields })
      const refused = await google.signIn(newGoogleAccount({ email }))
      expect([refused.answer.status, refused.user]).toEqual([403, undefined])
    }
  })

  it('opens one session for one of 10 accounts at the same time', async () => {
    const { user, email } = await addInvited()
    const results = await Promise.all(
      Array.from({ length: 10 }, () => google.signIn(newGoogleAccount({ email }))),
    )
    expect(results.filter((one) => one.user === user.id)).toHaveLength(1)
  })

  it('asks before it replaces the session of somebody else', async () => {
    const { user, email } = await addInvited()
    const first = await addInvited()
    const { browser } = await google.signIn(newGoogleAccount({ email: first.email }))
    const { answer } = await google.signIn(newGoogleAccount({ email }), browser)
    const question = await openQuestion(browser, answer)
    expect(question.page.text).toContain(user.username)
    expect(await isOpen(user.id)).toBe(true)
    expect(await readUser(service, await send(browser, question, {}))).toBe(user.id)
  })
})

describe('the link of an invitation', () => {
  const start = async (token: string, browser = new TestBrowser(service), connection = google) => {
    const path = `/api/2/auth/connections/${connection.id}/invitation`
    const started = await service.client('POST', path, { body: { token } })
    browser.keep(started)
    return { browser, started }
  }
  const accept = async (token: string, account: Readonly<Record<string, unknown>> = newGoogleAccount()) => {
    const { browser, started } = await start(token)
    expect(started.status, started.text).toBe(200)
    const answer = await openCallback(browser, upstream.authorize(started.body.url, account))
    return { answer, browser, user: await readUser(service, answer) }
  }

  it.each(['ask', 'create', 'refuse', 'invited'])('connects any account, once, with %s', async (first) => {
    await setTerms('1')
    await setFirstSignIn(first)
    const { user, token, email } = await addInvited(newAddress('team.example'))
    const { providers } = (await findInvitation(service, token)).body
    expect(providers.map(({ id }: { id: number }) => id)).toEqual([google.id, careless.id])
    const account = newGoogleAccount()
    expect((await accept(token, account)).user).toBe(user.id)
    expect((await readStored(user.id)).email).toBe(email)
    expect((await google.signIn(account)).user).toBe(user.id)
    expect((await start(token)).started.status).toBe(400)
  })

  it('counts in the browser that opened it', async () => {
    const { user, token } = await addInvited()
    const { started } = await start(token)
    const elsewhere = await openCallback(
      new TestBrowser(service),
      upstream.authorize(started.body.url, newGoogleAccount()),
    )
    expect([elsewhere.status, await isOpen(user.id)]).toEqual([401, true])
  })

  it('does not take the account of another user, and stays', async () => {
    const taken = newGoogleAccount()
    const owner = await addInvited()
    await accept(owner.token, taken)
    const { user, token } = await addInvited()
    const { answer } = await accept(token, taken)
    expect([answer.status, await isOpen(user.id)]).toEqual([409, true])
    expect((await google.signIn(taken)).user).toBe(owner.user.id)
  })

  it.each(['system:admin-access', 'users:manage'] as const)(
    'of someone with %s is not for one factor, and stays for another way',
    async (permission) => {
      const { user, token } = await addInvited(undefined, { permissions: [permission] })
      expect((await findInvitation(service, token)).body.providers).toEqual([])
      const { answer } = await accept(token)
      expect([answer.status, await isOpen(user.id)]).toEqual([403, true])
    },
  )

  it('of someone who cannot have a password is not for a public provider', async () => {
    const { token } = await addInvited(undefined, { allow_changing_password: false })
    expect((await findInvitation(service, token)).body.providers).toEqual([])
    expect((await start(token)).started.status).toBe(403)
  })

  it('that ended while the person was at the provider opens nothing', async () => {
    const { user, token } = await addInvited()
    const { browser, started } = await start(token)
    expect((await acceptInvitation(service, token, `${randomUUID()} is long enough`)).status).toBe(200)
    const answer = await openCallback(browser, upstream.authorize(started.body.url, newGoogleAccount()))
    expect([answer.status, await readUser(service, answer)]).toEqual([401, undefined])
    expect((await readStored(user.id)).passwordHash).not.toBeNull()
  })

  it('of a company that requires its own sign-in stays with the company', async () => {
    const domain = 'invited-company.example'
    const company = await call('POST', 'auth/oidc-connections', {
      ...{ name: 'Company', issuer: 'https://idp.company.example', client_id: 'id', client_secret: 'secret' },
      required_for_domains: true,
    })
    const domains = `/api/2/auth/connections/${company.body.id}/domains`
    expect((await call('POST', domains, { domain })).status).toBe(201)
    expect((await call('POST', `${domains}/${domain}/vouch`)).status).toBe(200)
    const { user, token } = await addInvited(newAddress(domain))
    const { providers } = (await findInvitation(service, token)).body
    expect(providers.map(({ id }: { id: number }) => id)).toEqual([company.body.id])
    const { answer } = await accept(token)
    expect([answer.status, answer.text.includes('Company'), await isOpen(user.id)]).toEqual([403, true, true])
    // Neither does the account of the company enter by an invitation of another address.
    const elsewhere = await addInvited()
    const theirs = await accept(elsewhere.token, newGoogleAccount({ email: newAddress(domain) }))
    expect([theirs.answer.status, await isOpen(elsewhere.user.id)]).toEqual([403, true])
  })
})
