import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oauthInteractionsPerBrowser } from '../../lib/kernel/limits/limits.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { pollDevice, sendDeviceForm, startDevice } from '../support/devices.ts'
import { agentRedirectUri, allowAgents, startDocumentHost } from '../support/document-host.ts'
import {
  addNativeApp,
  addRelyingParty,
  buildAuthorization,
  createPkce,
  postToken,
  type RelyingParty,
  readRedirect,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* Somebody changes what a person decides about, while the page that asks is open in front of them. */

const films = 'https://films.example.com/mcp'
const texts = { en: 'Delete films' }
const host = closeAfterTests(await startDocumentHost())
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: [
    'clientDocuments=2000/600,authorizationStarts=100000/600,authorizationsPerSession=1000/600',
    'deviceCodeGuesses=1000/600,deviceCodeGuessesPerNetwork=1000/600',
  ].join(','),
})
await allowAgents(service, host.host)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service, { permissions: ['films:view', 'films:delete'] })
const other = await addSignedIn(service)
await service.client('POST', '/api/2/protected-apis', {
  bearer: admin.bearer,
  body: {
    ...{ name: 'Films', audience: films, unregistered_clients: true },
    permissions: ['films:view', 'films:delete'].map((name) => ({ name, texts })),
    scopes: [{ name: 'films.delete', texts, permissions: ['films:delete'] }],
  },
})

const { challenge, verifier } = createPkce()
const wide = { scope: 'openid films.delete offline_access', resource: films }

let browser: TestBrowser
let agent: string
beforeEach(() => {
  browser = new TestBrowser(service)
  agent = host.describe('/agent.json')
  signIn(person)
})

/** The session of the browser is now that of this person. */
const signIn = ({ bearer }: SignedInPerson): void =>
  browser.keep({ cookies: [`latchkey=${bearer}; Path=/; HttpOnly; SameSite=Lax`] })

/** The address of a page that asks, or to which the sign-in page returns. */
interface Started {
  readonly path: string
  readonly query: string
}

/** A page of an agent starts an authorization of an agent, and stops before its page appears. */
const start = async (
  overrides: Readonly<Record<string, string>> = {},
  clientId = agent,
): Promise<Started> => {
  const client = { clientId, redirect_uris: [agentRedirectUri], type: 'public' } as const
  const query = buildAuthorization({ client, secret: '' }, challenge, overrides)
  return readStarted(await browser.get(`/oauth2/authorize?${query}`, 'cross-site'))
}
const readStarted = ({ headers }: Pick<Answer, 'headers'>): Started => {
  const page = new URL(headers.get('location') ?? '')
  const target = new URL(page.searchParams.get('return_to') ?? page)
  return { path: target.pathname, query: target.search }
}

/** The person opens a page, by default that of a harmless request. */
const open = async (overrides: Readonly<Record<string, string>> = { scope: 'openid' }, clientId = agent) => {
  const { path, query } = await start(overrides, clientId)
  return { path, page: await browser.get(path + query) }
}
type Opened = Awaited<ReturnType<typeof open>>

/** The person presses a button on the page that is open. */
const press = ({ path, page }: Opened, answer = 'continue', changes: object = {}): Promise<Answer> =>
  browser.post(path, { answer, ...readHiddenFields(page), ...changes }, 'same-origin')

/** Starts authorizations until the one behind an address is another one. */
const replace = async (
  path: string,
  overrides: Readonly<Record<string, string>> = wide,
  clientId = agent,
): Promise<void> => {
  for (let starts = 0; starts < oauthInteractionsPerBrowser * 40; starts += 1)
    if ((await start(overrides, clientId)).path === path) return
  throw new Error('The address was never used again.')
}

const expectAgain = (again: Answer, text: string): void => {
  expect([again.status, again.headers.get('location')]).toEqual([200, null])
  expect(again.text).toContain('This request has changed since you opened the page.')
  expect(again.text).toContain(text)
}

describe('the page that asks about an agent', () => {
  it('shows a wider request that an agent put behind it, and grants nothing before it was read', async () => {
    const opened = await open()
    await replace(opened.path)
    const again = await press(opened)
    expectAgain(again, 'access in your name to Films (Delete films)')
    expect(again.text).toContain('access until you end it on your account page')
    const listed = await service.client('GET', '/api/2/users/me/apps', { bearer: person.bearer })
    expect(listed.body).toEqual([])
    // The person agrees to what the page says now.
    const { code = '' } = readRedirect(await press({ ...opened, page: again }))
    const tokens = await postToken(service, {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      ...{ redirect_uri: agentRedirectUri, client_id: agent },
    })
    expect(decodeJwt(tokens.body.access_token)).toMatchObject({ aud: films })
  })

  it('shows another agent that was put behind it, and refuses nothing in its name', async () => {
    const opened = await open()
    const stranger = host.describe('/stranger.json', { redirect_uris: ['http://127.0.0.1:49999/callback'] })
    await replace(opened.path, { scope: 'openid', redirect_uri: 'http://127.0.0.1:49999/callback' }, stranger)
    for (const answer of ['continue', 'cancel']) expectAgain(await press(opened, answer), stranger)
  })

  it('leads to a choice if a registered client, which has no such page, was put behind it', async () => {
    const opened = await open()
    const shop = await addRelyingParty(service, { name: 'Shop' })
    const parameters = { prompt: 'select_account', redirect_uri: shop.client.redirect_uris[0] ?? '' }
    await replace(opened.path, parameters, shop.client.clientId)
    const answer = await press(opened)
    expect([answer.status, readRedirect(answer)['prompt'], readRedirect(answer)['code']]).toEqual([
      ...[303, 'select_account', undefined],
    ])
  })

  it('comes again for the same request that was started again', async () => {
    const opened = await open()
    await replace(opened.path, { scope: 'openid' })
    expectAgain(await press(opened), 'your user ID')
  })

  it('comes again for the user who is signed in now', async () => {
    const opened = await open()
    signIn(other)
    expectAgain(await press(opened), `You are signed in as ${other.user.username}.`)
  })

  it('comes again if an administrator changed what the client gets', async () => {
    const opened = await open(wide)
    const [api] = (await service.client('GET', '/api/2/protected-apis', { bearer: admin.bearer })).body
    const change = (name: string) =>
      service.client('PATCH', `/api/2/protected-apis/${api.id}`, { bearer: admin.bearer, body: { name } })
    await change('All films of the company')
    expectAgain(await press(opened), 'All films of the company')
    await change('Films')
    expect(readRedirect(await press(opened))['code']).toBeDefined()
  })

  it.each<[string, object]>([
    ['missing', { shown: undefined }],
    ['empty', { shown: '' }],
    ['short', { shown: 'x' }],
    ['huge', { shown: 'x'.repeat(5000) }],
    ['no base64url', { shown: `${'x'.repeat(42)}+` }],
  ])('refuses an answer whose name is %s', async (_, changes) => {
    const answer = await press(await open(), 'continue', changes)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('refuses an answer with two names', async () => {
    const opened = await open()
    const fields = new URLSearchParams({ answer: 'continue', ...readHiddenFields(opened.page) })
    fields.append('shown', fields.get('shown') ?? '')
    const answer = await service.client('POST', opened.path, {
      raw: String(fields),
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        ...{
          cookie: browser.cookieHeader(opened.path, 'same-origin', 'POST'),
          'sec-fetch-site': 'same-origin',
        },
      },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('comes again for the name of another page, of before, or of another browser', async () => {
    const before = await open()
    await replace(before.path, { scope: 'openid' })
    const opened = { path: before.path, page: await browser.get(before.path) }
    browser = new TestBrowser(service)
    signIn(other)
    const foreign = await open()
    const others = { ...readHiddenFields(opened.page) }
    expectAgain(await press(foreign, 'continue', others), 'your user ID')
    expectAgain(await press(foreign, 'continue', readHiddenFields(before.page)), 'your user ID')
    expectAgain(await press(foreign, 'continue', { shown: 'x'.repeat(43) }), 'your user ID')
    expect(readRedirect(await press(foreign))['code']).toBeDefined()
  })

  it('grants nothing to 50 old answers at once, and one code to 50 right ones', async () => {
    const opened = await open()
    await replace(opened.path)
    const old = await Promise.all(Array.from({ length: 50 }, () => press(opened)))
    for (const answer of old) expectAgain(answer, 'Films')
    const current = { path: opened.path, page: await browser.get(opened.path) }
    const copies = Array.from({ length: 50 }, () => browser.clone())
    const answers = await Promise.all(
      copies.map((copy) =>
        copy.post(current.path, { answer: 'continue', ...readHiddenFields(current.page) }, 'same-origin'),
      ),
    )
    expect(answers.filter((answer) => readRedirect(answer)['code'] !== undefined)).toHaveLength(1)
  })
})

describe('the page that asks about an app on a machine', () => {
  it('shows another app that was put behind it, and gives it nothing before', async () => {
    const trusted = await addNativeApp(service, { name: 'Trusted app' })
    const other = await addNativeApp(service, {
      name: 'Other app',
      redirect_uris: ['http://127.0.0.1/other'],
    })
    const opened = await open({ redirect_uri: 'http://127.0.0.1:51004/callback' }, trusted.client.clientId)
    expect(opened.page.text).toContain('Sign in to Trusted app?')
    await replace(opened.path, { redirect_uri: 'http://127.0.0.1:51005/other' }, other.client.clientId)
    for (const answer of ['continue', 'cancel'])
      expectAgain(await press(opened, answer), 'Sign in to Other app?')
    // Nor does the page of an agent agree to an app.
    await replace(opened.path, { scope: 'openid' })
    expectAgain(await press(opened), `Give ${host.host} access?`)
  })

  it('shows another address of the same app that was put behind it', async () => {
    const { client } = await addNativeApp(service)
    const opened = await open({ redirect_uri: 'http://127.0.0.1:51004/callback' }, client.clientId)
    await replace(opened.path, { redirect_uri: 'http://127.0.0.1:51005/callback' }, client.clientId)
    expectAgain(await press(opened), 'Then you go on to 127.0.0.1:51005.')
  })
})

describe('the sign-in page', () => {
  let bank: RelyingParty
  let shop: RelyingParty
  const choose = (party: RelyingParty) => ({
    prompt: 'select_account',
    redirect_uri: party.client.redirect_uris[0] ?? '',
  })
  beforeAll(async () => {
    bank = await addRelyingParty(service, { name: 'Bank' })
    shop = await addRelyingParty(service, { name: 'Shop' })
  })

  it.each(['chooses an account', 'signs in'])(
    'leads a person who %s to a page about another client that was put behind it',
    async (what) => {
      if (what === 'signs in') browser = new TestBrowser(service)
      const opened = await start(choose(bank), bank.client.clientId)
      await replace(opened.path, choose(shop), shop.client.clientId)
      if (what === 'signs in') signIn(person)
      // Programs of the page lead there after the person pressed its button.
      const answer = await browser.get(opened.path + opened.query, 'same-origin')
      const page = new URL(answer.headers.get('location') ?? '')
      expect([page.pathname, page.searchParams.get('prompt')]).toEqual(['/', 'select_account'])
      expect((await browser.get(page.href)).text).toContain('Shop')
      const { path, query } = readStarted(answer)
      expect(readRedirect(await browser.get(path + query, 'same-origin'))['code']).toBeDefined()
    },
  )

  it('completes nothing for a missing, foreign, huge or repeated identifier', async () => {
    const foreign = await start(choose(bank), bank.client.clientId)
    browser = new TestBrowser(service)
    signIn(person)
    const { path, query } = await start(choose(bank), bank.client.clientId)
    const ids = ['', '?id=', '?id=__proto__', `?id=${'x'.repeat(24)}`, `?id=${'x'.repeat(3000)}`]
    for (const id of [...ids, `${query}&id=x`, `${query}x`, query.slice(0, -1), foreign.query]) {
      // The browser keeps how often it was sent back, and gives up after some times.
      const answer = await browser.clone().get(path + id, 'same-origin')
      expect([id, readRedirect(answer)['code']]).toEqual([id, undefined])
      expect([303, 400]).toContain(answer.status)
    }
    expect(readRedirect(await browser.get(path + query, 'same-origin'))['code']).toBeDefined()
  })
})

describe('the page that asks about a device', () => {
  let own: SignedInPerson
  let device: RelyingParty
  beforeEach(async () => {
    own = await addSignedIn(service)
    device = await addRelyingParty(service, {
      ...{ type: 'public', device_authorization: true, name: 'Television' },
      scopes: ['openid', 'email', 'offline_access'],
    })
  })
  const openDevice = async (scope = 'openid', by = own) => {
    const { device_code, user_code } = await startDevice(service, device, { scope })
    const page = await sendDeviceForm(service, '/device', { user_code }, by)
    return { device_code, page, user_code }
  }
  const pressOn = (page: Answer, answer = 'continue', changes: object = {}, by = own): Promise<Answer> =>
    sendDeviceForm(service, '/device/answer', { answer, ...readHiddenFields(page), ...changes }, by)
  const isWaiting = async (device_code: string): Promise<boolean> =>
    (await pollDevice(service, device, device_code)).body.error === 'authorization_pending'

  it('comes again for the user who is signed in now, and decides nothing', async () => {
    const { page, device_code } = await openDevice()
    for (const answer of ['continue', 'cancel'])
      expectAgain(await pressOn(page, answer, {}, other), `You are signed in as ${other.user.username}.`)
    expect(await isWaiting(device_code)).toBe(true)
  })

  it('comes again for another device, with what that one gets', async () => {
    const harmless = await openDevice()
    const wider = await openDevice('openid email offline_access')
    const again = await pressOn(harmless.page, 'continue', { user_code: wider.user_code })
    expectAgain(again, 'your email address')
    expect(again.text).toContain(wider.user_code)
    expect([await isWaiting(harmless.device_code), await isWaiting(wider.device_code)]).toEqual([true, true])
    await pressOn(again)
    expect(await isWaiting(wider.device_code)).toBe(false)
  })

  it('comes again if an administrator changed what the client may get', async () => {
    const { page, device_code } = await openDevice('openid email')
    await service.client('PATCH', `/api/2/oidc-clients/${device.client.id}`, {
      bearer: admin.bearer,
      body: { name: 'Radio' },
    })
    expectAgain(await pressOn(page), 'Sign in to Radio?')
    expect(await isWaiting(device_code)).toBe(true)
  })

  it('refuses 50 answers without its name at once, and an old one', async () => {
    const { page, device_code, user_code } = await openDevice()
    for (const shown of ['', 'x', 'x'.repeat(5000)])
      expect((await pressOn(page, 'continue', { shown })).status).toBe(400)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => pressOn(page, 'continue', { shown: 'x'.repeat(43) })),
    )
    for (const answer of answers) expectAgain(answer, user_code)
    const before = await openDevice()
    expectAgain(await pressOn(page, 'continue', { shown: readHiddenFields(before.page)['shown'] }), user_code)
    expect(await isWaiting(device_code)).toBe(true)
  })
})

describe('the page that asks whether to sign out', () => {
  const target = 'https://app.example/signed-out'
  let party: RelyingParty
  beforeAll(async () => {
    party = await addRelyingParty(service, { name: 'Shop', post_logout_redirect_uris: [target] })
  })
  const ask = (by: SignedInPerson, party_ = party): Promise<Answer> => {
    signIn(by)
    const query = new URLSearchParams({ client_id: party_.client.clientId, post_logout_redirect_uri: target })
    return browser.get(`/oauth2/logout?${query}`, 'cross-site')
  }
  const confirm = (page: Answer, changes: object = {}): Promise<Answer> =>
    browser.post('/oauth2/logout/confirm', { ...readHiddenFields(page), ...changes }, 'same-origin')
  const isSignedIn = async ({ bearer }: SignedInPerson): Promise<boolean> =>
    (await service.client('GET', '/api/2/users/me', { bearer })).status === 200

  it('comes again for another session, client or address, and ends nothing', async () => {
    const [first, second] = [await addSignedIn(service), await addSignedIn(service)]
    const page = await ask(first)
    signIn(second)
    expectAgain(await confirm(page), `You are signed in as ${second.user.username}.`)
    signIn(first)
    const other = await addRelyingParty(service, { name: 'Bank', post_logout_redirect_uris: [target] })
    expectAgain(await confirm(page, { client_id: other.client.clientId }), 'You came from Bank.')
    expectAgain(await confirm(page, { state: 'x' }), 'You came from Shop.')
    expectAgain(await confirm(page, { shown: 'x'.repeat(43) }), 'You came from Shop.')
    for (const shown of [undefined, '', 'x'.repeat(5000)])
      expect((await confirm(page, { shown })).status).toBe(400)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, true])
    expect((await confirm(page)).headers.get('location')).toBe(target)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
  })
})

describe('a dialog', () => {
  const expectChanged = ({ status, body }: Answer): void =>
    expect([status, body.reason]).toEqual([409, 'decision_changed'])

  it('about a deletion deletes no other account than the one that it showed, and under no other rule', async () => {
    await storeSignInPolicy(service, { account_deletion: 'after_grace', account_deletion_grace_days: 14 })
    const [shownTo, present] = [await addSignedIn(service), await addSignedIn(service)]
    const shown = { user: shownTo.user.id, mode: 'after_grace', grace_days: 14 }
    const request = ({ bearer }: SignedInPerson, given: unknown = shown) =>
      service.client('POST', '/api/2/users/me/deletion', { bearer, body: { shown: given } })
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => request(present))))
      expectChanged(answer)
    for (const change of [{ mode: 'ask' }, { grace_days: 1 }, { grace_days: 30 }, { user: 0 }])
      expect((await request(shownTo, { ...shown, ...change })).body.requested_at).toBeUndefined()
    for (const given of [{}, { ...shown, x: 1 }, [], 'x', { user: [shownTo.user.id] }])
      expect((await request(shownTo, given)).status).toBe(400)
    const read = async ({ bearer }: SignedInPerson) =>
      (await service.client('GET', '/api/2/users/me/deletion', { bearer })).body.requested_at
    expect([await read(shownTo), await read(present)]).toEqual([null, null])
    expect((await request(shownTo)).status).toBe(200)
    // Programs show nothing.
    const { bearer } = present
    expect((await service.client('POST', '/api/2/users/me/deletion', { bearer })).status).toBe(200)
  })

  it('about a merge merges no users with other names than it showed', async () => {
    const manager = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const [kept, ended] = [await addSignedIn(service), await addSignedIn(service)]
    const read = async (id: number) =>
      (await service.client('GET', `/api/2/users/${id}`, { bearer: manager.bearer })).body
    const [a, b] = [await read(kept.user.id), await read(ended.user.id)]
    const shown = {
      display_name: a.display_name,
      other_display_name: b.display_name,
      other_username: b.username,
    }
    const merge = (given: unknown = shown) =>
      service.client('POST', `/api/2/users/${a.id}/merge`, {
        bearer: manager.bearer,
        body: { user: b.id, shown: given },
      })
    for (const name of ['display_name', 'other_display_name', 'other_username'])
      expectChanged(await merge({ ...shown, [name]: 'Somebody' }))
    for (const given of [{}, { ...shown, x: 1 }, null]) expect((await merge(given)).status).toBe(400)
    // The user who was chosen has another name in the meantime.
    const rename = (full_name: string) =>
      service.client('PATCH', `/api/2/users/${b.id}`, { bearer: manager.bearer, body: { full_name } })
    expect((await rename('Mallory')).status).toBe(200)
    expectChanged(await merge())
    expect((await read(b.id)).full_name).toBe('Mallory')
    const again = await merge({ ...shown, other_display_name: 'Mallory' })
    expect([again.status, again.body.is_complete]).toEqual([200, true])
    // The dialog repeats its request until all was moved.
    expect((await merge({ ...shown, other_display_name: 'Mallory' })).status).toBe(200)
  })
})
