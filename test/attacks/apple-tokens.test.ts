import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { getRefreshTokenContext } from '../../lib/features/connections/oidc/refresh-tokens.ts'
import { logoutRetryMs } from '../../lib/kernel/limits/limits.ts'
import { logoutJobPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import { describeApple, newAppleAccount, postAnswer, startApple } from '../support/apple-upstream.ts'
import { TestBrowser } from '../support/browser.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide, openQuestion } from '../support/company-sign-in.ts'
import { storeInvitation } from '../support/invitations.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../support/public-upstream.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/*
 * The refresh token of Apple is kept for one purpose: to revoke it there once the account is no longer connected here. Someone with a copy
 * of the table, of the log or of an export cannot use it.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startApple())
const fields = { ...describeApple(upstream), first_sign_in: 'create' }
const created = await call('POST', 'auth/oidc-connections', fields)
if (created.status !== 201) throw new Error(created.text)
const path = `/api/2/auth/oidc-connections/${created.body.id}`
const change = async (body: object) => expect((await call('PATCH', path, body)).status).toBe(200)
const { table, vault } = service.services
beforeEach(async () => {
  upstream.behave({})
  await change({ first_sign_in: 'create' })
  await service.informClients()
  upstream.requests.length = 0
})
afterEach(() => vi.useRealTimers())

type Claims = Readonly<Record<string, unknown>>
let count = 0
/** Signs in with an account, for which Apple sends this token. */
const signIn = async (account: Claims = newAppleAccount(), token = `token-${++count}-of-apple`) => {
  upstream.behave({ tokens: { refresh_token: token } })
  const browser = new TestBrowser(service)
  const { headers } = await browser.get(`${path}/start`, 'same-origin')
  const answer = await postAnswer(browser, upstream.authorize(headers.get('location') ?? '', account))
  return { answer, browser, token, account, user: (await readUser(service, answer)) ?? 0 }
}
const readAccounts = async (id: number) => {
  const user = await findUser(table, id)
  if (!user) throw new Error(`there is no user ${id}`)
  return findCompanyAccounts(table, user)
}
/** The token that is kept for the only account of a user. */
const readKept = async (id: number) => {
  const [account] = await readAccounts(id)
  if (!account?.refreshToken) return undefined
  const context = getRefreshTokenContext(account.providerId, account.hash)
  return vault.decrypt(account.refreshToken.cipher, context)
}
const readRevoked = () =>
  upstream.requests.flatMap((one) => (one.path === '/auth/revoke' ? [one.body.get('token')] : []))
const readJobs = async () => (await Promise.all(logoutJobPartitions.map((pk) => table.list(pk, '')))).flat()
const readEvents = async (id: number) => {
  const { body } = await call('GET', `auth/audit-events?user=${id}&event=oidc_connection.token_not_revoked`)
  return body as readonly { target: string; outcome: string }[]
}
const informLater = async (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  await service.informClients()
}

describe('the refresh token', () => {
  it('is kept encrypted, for this account alone, and is in no answer, log or copy', async () => {
    const { user, token, account } = await signIn()
    expect(await readKept(user)).toBe(token)
    const [kept] = await readAccounts(user)
    const cipher = kept?.refreshToken?.cipher ?? ''
    for (const context of [
      getRefreshTokenContext(created.body.id, 'another'),
      getRefreshTokenContext(created.body.id + 1, kept?.hash ?? ''),
      { purpose: 'connection', provider: String(created.body.id), field: 'client_secret' },
    ])
      await expect(vault.decrypt(cipher, context)).rejects.toThrow()
    const answers = await Promise.all([
      call('GET', `users/${user}`),
      call('GET', `users/${user}/company-accounts`),
      call('GET', path),
      call('GET', `auth/audit-events?user=${user}`),
    ])
    const seen = [...answers.map(({ text }) => text), service.log.join('\n')]
    for (const text of seen) for (const secret of [token, cipher]) expect(text).not.toContain(secret)
    expect(JSON.stringify(await readItems(service.tableName))).not.toContain(token)
    // The next sign-in within the hour writes nothing.
    await signIn(account)
    expect(await readKept(user)).toBe(token)
  })

  it('is kept by each way to connect an account', async () => {
    await change({ first_sign_in: 'ask' })
    const asked = await signIn()
    const decided = await decide(asked.browser, await openQuestion(asked.browser, asked.answer), 'yes')
    expect(await readKept((await readUser(service, decided)) ?? 0)).toBe(asked.token)

    // An account that an administrator connected has its first token from its first sign-in.
    const { user } = await addPerson(service)
    const account = newAppleAccount()
    const linked = { provider: created.body.id, name: account.sub }
    expect((await call('POST', `users/${user.id}/company-accounts`, linked)).status).toBe(201)
    expect(await readKept(user.id)).toBeUndefined()
    const first = await signIn(account)
    expect([first.user, await readKept(user.id)]).toEqual([user.id, first.token])

    await change({ first_sign_in: 'invited' })
    const invitedAccount = newAppleAccount()
    const invited = await addPerson(service, { email: invitedAccount.email, emailVerified: false })
    await storeInvitation(service, invited.user.id)
    const accepted = await signIn(invitedAccount)
    expect([accepted.user, await readKept(invited.user.id)]).toEqual([invited.user.id, accepted.token])
  })

  it.each<readonly [string, unknown]>([
    ['none', undefined],
    ['an empty text', ''],
    ['a number', 7],
    ['a text of 5 KB', 'x'.repeat(5000)],
  ])('is optional: %s', async (_, token) => {
    upstream.behave({ tokens: { refresh_token: token } })
    const browser = new TestBrowser(service)
    const { headers } = await browser.get(`${path}/start`, 'same-origin')
    const answer = await postAnswer(
      browser,
      upstream.authorize(headers.get('location') ?? '', newAppleAccount()),
    )
    const user = await readUser(service, answer)
    // The library takes only a text.
    if (typeof token === 'number' || token === '') expect(answer.status).toBe(401)
    else expect(await readKept(user ?? 0)).toBeUndefined()
  })

  it('of any other provider is not kept', async () => {
    const plain = closeAfterTests(await startUpstream())
    plain.behave({ tokens: { refresh_token: 'token-of-google' } })
    const google = await addPublicConnection(service, admin.bearer, plain, { first_sign_in: 'create' })
    const { user } = await google.signIn(newGoogleAccount())
    expect(await readKept(user ?? 0)).toBeUndefined()
  })
})

describe('revoking at Apple', () => {
  const unlink = async (id: number) => {
    const [account] = (await call('GET', `users/${id}/company-accounts`)).body
    return call('DELETE', `users/${id}/company-accounts/${account.id}`)
  }
  const ends: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    'an administrator deletes the user': (id) => call('DELETE', `users/${id}`),
    'an administrator removes the account': unlink,
  }
  it.each(Object.keys(ends))('happens once, not in the request: %s', async (name) => {
    const { user, token } = await signIn()
    expect(await ends[name]?.(user)).toMatchObject({ status: 204 })
    expect([readRevoked(), (await readJobs()).length]).toEqual([[], 1])
    expect(JSON.stringify(await readJobs())).not.toContain(token)
    await service.informClients()
    await service.informClients()
    expect([readRevoked(), await readJobs()]).toEqual([[token], []])
    const sent = upstream.requests.find((one) => one.path === '/auth/revoke')?.body
    expect(sent?.get('token_type_hint')).toBe('refresh_token')
    expect(sent?.get('client_id')).toBe(created.body.client_id)
    expect(service.log.join('\n')).not.toContain(token)
  })

  it('happens when the person removes Apple themselves', async () => {
    const person = await addSignedIn(service)
    const account = newAppleAccount()
    await call('POST', `users/${person.user.id}/company-accounts`, {
      ...{ provider: created.body.id, name: account.sub },
    })
    const { token } = await signIn(account)
    const own = callAs(service, person)
    const [{ id }] = (await own('GET', 'users/me/company-accounts')).body
    const removed = await own('DELETE', `users/me/company-accounts/${id}`)
    expect(removed.status, removed.text).toBe(204)
    await service.informClients()
    expect(readRevoked()).toEqual([token])
  })

  it('happens for each account of a user, and for none without a token', async () => {
    const { user, token } = await signIn()
    await call('POST', `users/${user}/company-accounts`, {
      ...{ provider: created.body.id, name: newAppleAccount().sub },
    })
    expect((await call('DELETE', `users/${user}`)).status).toBe(204)
    expect(await readJobs()).toHaveLength(1)
    await service.informClients()
    expect(readRevoked()).toEqual([token])
  })

  it('is repeated while Apple fails, with a new secret each time, and ends', async () => {
    const { user, token } = await signIn()
    upstream.behave({ revocationStatus: 503 })
    await call('DELETE', `users/${user}`)
    await service.informClients()
    await service.informClients()
    expect(readRevoked()).toEqual([token])
    await informLater(logoutRetryMs.first)
    expect(readRevoked()).toEqual([token, token])
    const secrets = upstream.requests.flatMap((one) =>
      one.path === '/auth/revoke' ? [one.body.get('client_secret')] : [],
    )
    expect(new Set(secrets).size).toBe(2)
    expect(await readJobs()).toHaveLength(1)
    expect(await readEvents(user)).toEqual([])
    await informLater(logoutRetryMs.total + logoutRetryMs.longest)
    expect(await readJobs()).toEqual([])
    expect(await readEvents(user)).toMatchObject([
      { target: `oidc:${created.body.id}`, outcome: 'status', actor: null },
    ])
    const logged = service.log.filter((line) => line.includes('token_not_revoked'))
    expect(logged.map((line) => JSON.parse(line).reason)).toEqual(['status', 'status', 'status'])
    expect(service.log.join('\n')).not.toContain(token)
  })

  it('is given up without the connection, with an audit event', async () => {
    const { user } = await signIn()
    expect((await call('DELETE', path)).status).toBe(204)
    await call('DELETE', `users/${user}`)
    await service.informClients()
    expect([readRevoked(), await readJobs()]).toEqual([[], []])
    expect(await readEvents(user)).toMatchObject([
      { target: `oidc:${created.body.id}`, outcome: 'connection_removed' },
    ])
    const again = await call('POST', 'auth/oidc-connections', fields)
    expect([again.status, again.body.id]).toEqual([201, created.body.id])
  })

  it('gives up a token that this service cannot read', async () => {
    const { user } = await signIn()
    const [account] = await readAccounts(user)
    const other = await signIn()
    const [key] = (await readItems(service.tableName)).filter(
      ({ sk, userId, pk }) =>
        pk === `user#${user}` && sk.endsWith(account?.hash ?? '-') && userId === undefined,
    )
    const [stolen] = await readAccounts(other.user)
    if (!key) throw new Error('there is no item')
    // Someone who can write to the table wants the service to send the token of another person.
    await table.put({ ...key, refreshToken: stolen?.refreshToken })
    await call('DELETE', `users/${user}`)
    await service.informClients()
    expect([readRevoked(), await readJobs()]).toEqual([[], []])
    expect(await readEvents(user)).toMatchObject([{ outcome: 'unreadable' }])
  })
})

describe('a merge of users', () => {
  it('moves the token with the account', async () => {
    const { user, token, account } = await signIn()
    const kept = await addPerson(service)
    const merged = await call('POST', `users/${kept.user.id}/merge`, { user })
    expect(merged.status, merged.text).toBeLessThan(300)
    await service.informClients()
    expect(readRevoked()).toEqual([])
    expect(await readKept(kept.user.id)).toBe(token)
    expect((await signIn(account)).user).toBe(kept.user.id)
    await call('DELETE', `users/${kept.user.id}`)
    await service.informClients()
    expect(readRevoked()).toEqual([token])
  })
})
