import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { nameIdFormats, statuses } from '../support/idp/names.ts'
import { child, parseMessage } from '../support/idp/parse.ts'
import { queryOf } from '../support/idp/redirect.ts'
import { makeIdp } from '../support/idp.ts'
import {
  addProvider,
  patchProvider,
  signInByConnection,
  startSignIn,
  type TestProvider,
  userOfSession,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* A user signs in and out through an identity provider while keys change on either side. */

const signInUrl = 'https://media.example.com/sign-in'
const service = await useService({ PUBLIC_URL: 'https://auth.example.com', SIGN_IN_URL: signInUrl })
const provider = await addProvider(service, await makeIdp())

const isActiveSession = async (session: string): Promise<boolean> =>
  (await userOfSession(service, session)) !== undefined

/** The service's certificates as its metadata publishes them. */
const published = async (use: 'signing' | 'encryption', { metadataUrl }: TestProvider): Promise<string[]> => {
  const { text } = await new TestBrowser(service).get(metadataUrl)
  const role = child(parseMessage(text), 'SPSSODescriptor')
  return (role?.children ?? [])
    .filter(({ name, attributes }) => name === 'KeyDescriptor' && attributes['use'] === use)
    .map(({ children: [info] }) => info?.children[0]?.children[0]?.text ?? '')
    .map((base64) => `-----BEGIN CERTIFICATE-----\n${base64.trim()}\n-----END CERTIFICATE-----\n`)
}

/** Signs out here: the request that the provider reads, and the effect of its response. */
const signOutHere = async (browser: TestBrowser, at = provider, certificates = [at.own.pem]) => {
  const left = await browser.get(at.logoutUrl, 'same-origin')
  const request = at.idp.read(left.headers.get('location') ?? '', certificates)
  const query = queryOf(at.idp.logoutResponse(at.logoutReturnUrl, request.id, {}))
  const returned = await browser.get(`${at.logoutReturnUrl}?${query}`, 'cross-site')
  return { request, returned }
}

/** Signs out at the provider, which notifies the service through the same browser. */
const signOutThere = async (
  browser: TestBrowser,
  facts: Parameters<TestProvider['idp']['logoutRequest']>[1],
  at = provider,
  certificates = [at.own.pem],
) => {
  const query = queryOf(at.idp.logoutRequest(at.logoutReturnUrl, facts))
  const answer = await browser.get(`${at.logoutReturnUrl}?${query}`, 'cross-site')
  if (answer.status !== 303) throw new Error(`the logout was refused: ${answer.text}`)
  return at.idp.read(answer.headers.get('location') ?? '', certificates)
}

const statusOf = ({ root }: Awaited<ReturnType<typeof signOutThere>>): string | undefined => {
  const status = child(root, 'Status')
  return status && child(status, 'StatusCode')?.attributes['Value']
}

const named = {
  nameId: 'ada-4711',
  nameIdFormat: nameIdFormats.persistent,
  nameQualifier: 'https://idp.example.com',
  spNameQualifier: 'https://auth.example.com',
  sessionIndex: '_there-1',
}

describe('a sign-out that starts at the service', () => {
  it('ends the session at both sides and returns to the sign-in page', async () => {
    const { browser, session } = await signInByConnection(service, provider, named)
    expect(browser.cookie('latchkey')).toBe(session)
    const { request, returned } = await signOutHere(browser)
    expect(await isActiveSession(session)).toBe(false)
    expect(browser.cookie('latchkey')).toBeUndefined()
    expect(child(request.root, 'NameID')).toMatchObject({
      text: named.nameId,
      attributes: {
        Format: named.nameIdFormat,
        NameQualifier: named.nameQualifier,
        SPNameQualifier: named.spNameQualifier,
      },
    })
    expect(child(request.root, 'SessionIndex')?.text).toBe(named.sessionIndex)
    expect([returned.status, returned.headers.get('location')]).toEqual([303, signInUrl])
  })

  it('keeps other sessions of the same user until the provider ends them', async () => {
    const here = await signInByConnection(service, provider, { ...named, sessionIndex: '_desk' })
    const elsewhere = await signInByConnection(service, provider, { ...named, sessionIndex: '_phone' })
    await signOutHere(here.browser)
    expect(await isActiveSession(elsewhere.session)).toBe(true)
    // The provider also notifies every other browser of the user.
    await signOutThere(elsewhere.browser, { ...named, sessionIndexes: ['_phone'] })
    expect(await isActiveSession(elsewhere.session)).toBe(false)
  })

  it('is complete locally even if the provider never answers', async () => {
    const { browser, session } = await signInByConnection(service, provider)
    await browser.get(provider.logoutUrl, 'same-origin')
    expect(await isActiveSession(session)).toBe(false)
    const again = await signInByConnection(service, provider, {}, browser)
    expect(await isActiveSession(again.session)).toBe(true)
  })
})

describe('a sign-out that starts at the provider', () => {
  it('ends the session, confirms it to the provider, and allows the next sign-in', async () => {
    const { browser, session } = await signInByConnection(service, provider, named)
    const answer = await signOutThere(browser, { ...named, sessionIndexes: [named.sessionIndex] })
    expect(statusOf(answer)).toBe(statuses.success)
    expect(await isActiveSession(session)).toBe(false)
    const again = await signInByConnection(service, provider, named, browser)
    expect(await isActiveSession(again.session)).toBe(true)
  })

  it('also ends a session whose user was renamed or identified by another name since', async () => {
    const { session } = await signInByConnection(service, provider, { nameId: 'renamed' })
    const id = await userOfSession(service, session)
    const change = await service.client('PATCH', `/api/2/users/${id}`, {
      bearer: provider.admin,
      body: { username: 'another-name', email: 'another@example.com' },
    })
    expect(change.status).toBe(200)
    const again = await signInByConnection(service, provider, { nameId: 'renamed' })
    expect(await userOfSession(service, again.session)).toBe(id)
    await signOutThere(again.browser, { nameId: 'renamed' })
    expect([await isActiveSession(session), await isActiveSession(again.session)]).toEqual([false, false])
  })

  it('rejects an assertion that was issued before and is delivered after', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const held = await provider.idp.answer(target, { nameId: 'held back', times: { issued: -20 } })
    await signOutThere(new TestBrowser(service), { nameId: 'held back' })
    const late = await browser.post(target.acsUrl, held.form)
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect(browser.cookie('latchkey')).toBeUndefined()
    const fresh = await signInByConnection(service, provider, { nameId: 'held back', times: { issued: 1 } })
    expect(await isActiveSession(fresh.session)).toBe(true)
  })
})

it('leaves no session that opens at the same moment', async () => {
  const seen = new Set<number>()
  for (let round = 0; round < 12; round++) {
    const nameId = `racing ${round}`
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, { nameId, times: { issued: -5 } })
    const signIn = async () => {
      const answer = await browser.post(target.acsUrl, form)
      seen.add(answer.status)
    }
    const pause = () => new Promise((resolve) => setTimeout(resolve, round * 2))
    await Promise.all([signIn(), pause().then(() => signOutThere(new TestBrowser(service), { nameId }))])
    const session = browser.cookie('latchkey')
    if (session !== undefined) expect(await isActiveSession(session)).toBe(false)
  }
  expect([...seen].every((status) => status < 500)).toBe(true)
})

it('works across a change of the provider’s certificate, in both directions', async () => {
  const [old, next] = [await makeCertificate(), await makeCertificate()]
  const at = await addProvider(service, await makeIdp(old))
  const before = await signInByConnection(service, at, { nameId: 'before' })
  const duringChange = await signInByConnection(service, at, { nameId: 'duringChange' })
  // Both certificates are configured. The provider starts to sign with the new one.
  await patchProvider(service, at, { certificate: old.pem + next.pem })
  at.idp.signer = next
  expect(statusOf(await signOutThere(before.browser, { nameId: 'before' }, at))).toBe(statuses.success)
  expect(await isActiveSession(before.session)).toBe(false)
  const after = await signInByConnection(service, at, { nameId: 'after' })
  expect((await signOutHere(after.browser, at)).returned.status).toBe(303)
  // After the old certificate is removed, its key no longer works for anyone.
  await patchProvider(service, at, { certificate: next.pem })
  const byOld = queryOf(
    at.idp.logoutRequest(at.logoutReturnUrl, { nameId: 'duringChange', redirect: { signer: old } }),
  )
  expect((await new TestBrowser(service).get(`${at.logoutReturnUrl}?${byOld}`, 'cross-site')).status).toBe(
    400,
  )
  expect(await isActiveSession(duringChange.session)).toBe(true)
  await signOutThere(duringChange.browser, { nameId: 'duringChange' }, at)
  expect(await isActiveSession(duringChange.session)).toBe(false)
})

it('works across a change of the service’s key, in both directions', async () => {
  const at = await addProvider(service, await makeIdp())
  const rotate = (body?: object) =>
    service.client('POST', `/api/2/auth/saml/${at.id}/rotate-sp-key`, {
      bearer: at.admin,
      body,
    })
  const before = await signInByConnection(service, at, { nameId: 'before' })
  expect((await rotate()).status).toBe(200)
  const [first, second] = await published('signing', at)
  if (!first || !second) throw new Error('two certificates were expected')
  // The provider has read both certificates. The old one signs until the switch.
  expect((await signOutHere(before.browser, at, [first])).returned.status).toBe(303)
  const duringChange = await signInByConnection(service, at, {
    nameId: 'duringChange',
    encrypt: { certificate: second },
  })
  expect((await rotate({ confirm: true })).status).toBe(200)
  const switched: TestProvider = { ...at, own: { ...at.own, pem: second } }
  const answer = await signOutThere(duringChange.browser, { nameId: 'duringChange' }, switched)
  expect(statusOf(answer)).toBe(statuses.success)
  expect(await isActiveSession(duringChange.session)).toBe(false)
  const after = await signInByConnection(service, switched, { nameId: 'after' })
  const { request } = await signOutHere(after.browser, switched)
  expect(child(request.root, 'NameID')?.text).toBe('after')
  // Messages that were encrypted for the old key just before the switch can still be read.
  const late = await signInByConnection(service, switched, {
    nameId: 'late',
    encrypt: { certificate: first },
  })
  expect(await isActiveSession(late.session)).toBe(true)
})

it.each(['aes128-gcm', 'aes256-gcm', 'aes128-cbc', 'aes256-cbc'] as const)(
  'ends a session that was started by an assertion encrypted with %s',
  async (content) => {
    const [certificate = ''] = await published('encryption', provider)
    const nameId = `encrypted ${content}`
    for (const sign of ['assertion', 'response', 'both'] as const) {
      const encrypt = { certificate, content }
      const first = await signInByConnection(service, provider, {
        nameId,
        encrypt,
        sign,
        sessionIndex: content,
      })
      const { request } = await signOutHere(first.browser)
      expect(child(request.root, 'NameID')?.text).toBe(nameId)
      const second = await signInByConnection(service, provider, {
        nameId,
        encrypt,
        sign,
        sessionIndex: content,
      })
      await signOutThere(second.browser, { nameId, sessionIndexes: [content] })
      expect([await isActiveSession(first.session), await isActiveSession(second.session)]).toEqual([
        false,
        false,
      ])
    }
  },
)
