import { describe, expect, it } from 'vitest'
import { endAllSessions } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { findSessions } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { TestBrowser } from '../support/browser.ts'
import { useService } from '../support/use-service.ts'
import { type Account, changeUser, oneTimeWays, ways } from '../support/ways-to-sign-in.ts'

/* What is the same for all ways to sign in, and what a thief of one request can do. */

const product = 'https://product.example'
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  ALLOWED_ORIGINS: product,
  RATE_LIMITS:
    'samlStarts=100000/60,passkeyChallenges=100000/60,lookUpFailures=100000/60,addressFailures=100000/60',
})

const countSessions = async ({ userId }: Account): Promise<number> =>
  (await findSessions(service.services.table, userId, 100)).length
const readSignIns = async ({ userId }: Account) =>
  (await readAuditItems(service.services.table)).filter(
    ({ event, user }) => event === 'login.succeeded' && user === userId,
  )

describe.each(ways)('a sign-in with $name', ({ methods, target, addAccount }) => {
  it('opens one session with its methods, and stores one audit event', async () => {
    const account = await addAccount(service)
    const before = await readSignIns(account)
    const { status, session } = await (await account.prove(new TestBrowser(service)))()
    expect(status).toBe(200)
    const answer = await service.client('GET', '/api/2/users/me', { bearer: session ?? '' })
    expect(answer.body.id).toBe(account.userId)
    const [newest] = [...(await findSessions(service.services.table, account.userId, 100))].sort(
      (a, b) => b.createdAt - a.createdAt,
    )
    expect(newest?.authentication?.methods).toEqual(methods)
    expect(newest).toMatchObject({ address: '127.0.0.1', userId: account.userId })
    const events = (await readSignIns(account)).slice(before.length)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ actor: account.userId, outcome: 'succeeded' })
    if (target === null) expect(events[0]?.['target']).toBeNull()
    else expect(events[0]?.['target']).toMatch(new RegExp(`^${target}`))
  })

  it('makes its browser known by a cookie, and recognizes it the next time', async () => {
    const account = await addAccount(service)
    const browser = new TestBrowser(service)
    const read = async () => (await findUser(service.services.table, account.userId))?.deviceCookies ?? {}
    const before = Object.keys(await read())
    const { cookies } = await (await account.prove(browser))()
    expect([...cookies].sort()).toEqual(['latchkey', 'latchkey-device', 'latchkey-marked-session'])
    const known = await read()
    expect(Object.keys(known)).toHaveLength(before.length + 1)
    const value = browser.cookie('latchkey-device')
    expect((await (await account.prove(browser))()).status).toBe(200)
    expect(browser.cookie('latchkey-device')).toBe(value)
    expect(await read()).toEqual(known)
    await (await account.prove(new TestBrowser(service)))()
    expect(Object.keys(await read())).toHaveLength(before.length + 2)
  })

  it('leads to the start page of its user if that is an allowed one', async () => {
    const account = await addAccount(service)
    await changeUser(service, account.userId, { default_page: `${product}/start` })
    expect(await (await account.prove(new TestBrowser(service)))()).toMatchObject({
      redirect: `${product}/start`,
    })
    await changeUser(service, account.userId, { default_page: 'https://evil.example/' })
    const { status, redirect } = await (await account.prove(new TestBrowser(service)))()
    expect({ status, redirect }).toEqual({ status: 200, redirect: undefined })
  })

  it('is refused for an account that was disabled after the proof, and opens no session', async () => {
    const account = await addAccount(service)
    const send = await account.prove(new TestBrowser(service))
    const before = await countSessions(account)
    await changeUser(service, account.userId, { is_enabled: false })
    const { status, session } = await send()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(session).toBeUndefined()
    expect(await countSessions(account)).toBe(before)
  })
})

describe.each(oneTimeWays)('a proof by $name', ({ addAccount }) => {
  it('opens one session for 8 parallel requests, and none for a later one', async () => {
    const account = await addAccount(service)
    const browser = new TestBrowser(service)
    const send = await account.prove(browser)
    const thief = browser.clone()
    const before = await countSessions(account)
    const results = await Promise.all(Array.from({ length: 8 }, () => send()))
    expect(results.filter(({ session }) => session !== undefined)).toHaveLength(1)
    expect(await countSessions(account)).toBe(before + 1)
    expect((await send(thief)).session).toBeUndefined()
    expect(await countSessions(account)).toBe(before + 1)
  })

  it('opens no session that works after all sessions were ended at the same time', async () => {
    const account = await addAccount(service)
    const send = await account.prove(new TestBrowser(service))
    const user = await findUser(service.services.table, account.userId)
    if (!user) throw new Error('the user was not found')
    const [{ session }] = await Promise.all([send(), endAllSessions(service.services.table, user, [])])
    // The sign-in either came after the end, or does not work.
    const stored = await findSessions(service.services.table, account.userId, 100)
    const { credentialEpoch } = (await findUser(service.services.table, account.userId)) ?? {}
    const working = stored.filter((one) => one.credentialEpoch === credentialEpoch)
    expect(working.length).toBeLessThanOrEqual(session === undefined ? 0 : 1)
  })
})
