import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startLogoutReceiver, verifyLogoutToken } from '../support/logout-receiver.ts'
import {
  addRelyingParty,
  buildAuthorization,
  createPkce,
  exchangeCode,
  getCode,
  getTokens,
  proveClient,
  readRedirect,
  refresh,
} from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A user who ends the access of an app ends it at once and everywhere, and no one ends that of another user. */

const path = '/api/2/users/me/apps'
const day = 86_400_000
const service = await useService({}, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const shop = await addRelyingParty(service, {
  name: `Shop ${randomUUID()}`,
  audiences: ['https://api.example'],
  refresh_token_lifetime: 7 * 86_400,
})
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})

const list = async (bearer = person.bearer) => (await service.client('GET', path, { bearer })).body
const end = async (bearer = person.bearer, id: number | string = shop.client.id) =>
  (await service.client('DELETE', `${path}/${id}`, { bearer })).status
const userinfo = async (bearer: string) =>
  (await service.client('GET', '/oauth2/userinfo', { bearer })).status
const introspect = async (token: string) => {
  const answer = await service.client('POST', '/oauth2/introspect', {
    raw: String(new URLSearchParams({ token, ...proveClient(shop) })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return answer.body.active
}
const authorize = (bearer: string, parameters: Readonly<Record<string, string>> = {}) => {
  const query = buildAuthorization(shop, createPkce().challenge, parameters)
  return service.client('GET', `/oauth2/authorize?${query}`, { bearer })
}
const listEnds = async ({ user }: SignedInPerson = person) => {
  const query = `event=oidc_client.access_ended&user=${user.id}`
  return (await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer: admin.bearer })).body
}

describe('the apps of a user', () => {
  it('are those that can get tokens, with what they may read, since when, and their last use', async () => {
    expect(await list()).toEqual([])
    const startedAt = Date.now()
    await getCode(service, shop, person.bearer, { scope: 'openid profile' })
    const { refresh_token } = await getTokens(service, shop, person.bearer, {
      scope: 'openid offline_access',
    })
    const second = await signIn(service, person)
    const [app, ...others] = await list(second)
    expect(others).toEqual([])
    expect(app).toMatchObject({
      id: shop.client.id,
      name: shop.client.name,
      scopes: ['openid', 'profile', 'offline_access'],
      apis: [{ audience: 'https://api.example', scopes: [] }],
    })
    expect(Date.parse(app.connected_at)).toBeGreaterThanOrEqual(startedAt)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day / 2 })
    try {
      // So that the session does not end without use.
      await list()
      vi.setSystemTime(Date.now() + day / 2)
      await refresh(service, shop, refresh_token)
      const [used] = await list()
      expect(Date.parse(used.last_used_at) - Date.parse(app.last_used_at)).toBeGreaterThanOrEqual(day)
      expect(used.connected_at).toBe(app.connected_at)
    } finally {
      vi.useRealTimers()
    }
    expect(await list(admin.bearer)).toEqual([])
    const managed = `/api/2/users/${person.user.id}/apps`
    expect((await service.client('GET', managed, { bearer: admin.bearer })).body).toHaveLength(1)
  })
})

describe('the end of an access', () => {
  it('ends all tokens of the app in all sessions at once, and no others', async () => {
    const other = await addRelyingParty(service)
    const second = await signIn(service, person)
    const waiting = await getCode(service, shop, person.bearer)
    const tokens = await Promise.all(
      [person.bearer, second].map((bearer) => getTokens(service, shop, bearer)),
    )
    const kept = await getTokens(service, other, person.bearer)
    const stranger = await addSignedIn(service)
    const foreign = await getTokens(service, shop, stranger.bearer)
    expect(await end()).toBe(204)
    for (const { access_token, refresh_token } of tokens) {
      expect(await userinfo(access_token)).toBe(401)
      expect([await introspect(access_token), await introspect(refresh_token)]).toEqual([false, false])
      expect((await refresh(service, shop, refresh_token)).body.error).toBe('invalid_grant')
    }
    expect((await exchangeCode(service, shop, waiting)).body.error).toBe('invalid_grant')
    expect(await userinfo(kept.access_token)).toBe(200)
    expect((await refresh(service, other, kept.refresh_token)).status).toBe(200)
    expect((await refresh(service, shop, foreign.refresh_token)).status).toBe(200)
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual([other.client.id])
    expect(await listEnds()).toMatchObject([{ user: person.user.id, target: String(shop.client.id) }])
    expect(await end()).toBe(404)
  })

  it('lasts until the user signs in again, and the old tokens never return', async () => {
    const { refresh_token } = await getTokens(service, shop, person.bearer)
    await end()
    expect(readRedirect(await authorize(person.bearer, { prompt: 'none' }))['error']).toBe('login_required')
    const sent = new URL((await authorize(person.bearer)).headers.get('location') ?? '')
    expect([sent.searchParams.has('return_to'), sent.searchParams.get('prompt')]).toEqual([true, 'login'])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 })
    try {
      const body = { password: person.password }
      const proof = { bearer: person.bearer, body }
      expect((await service.client('POST', '/api/2/auth/reauthenticate', proof)).status).toBe(204)
      const again = await getTokens(service, shop, person.bearer)
      expect((await refresh(service, shop, refresh_token)).body.error).toBe('invalid_grant')
      expect((await refresh(service, shop, again.refresh_token)).status).toBe(200)
      expect(await list()).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is recorded once of 100 at the same time, and wins against refreshes that run', async () => {
    let { refresh_token } = await getTokens(service, shop, person.bearer)
    const keepRefreshing = async () => {
      for (let n = 0; n < 10; n++) {
        const { status, body } = await refresh(service, shop, refresh_token)
        if (status !== 200) return
        refresh_token = body.refresh_token
      }
    }
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => end())),
      keepRefreshing(),
    ])
    expect(statuses).toContain(204)
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([])
    expect(await listEnds()).toHaveLength(1)
    expect((await refresh(service, shop, refresh_token)).body.error).toBe('invalid_grant')
    expect(await list()).toEqual([])
  })

  it('informs the app once, with the session that it knows', async () => {
    const receiver = await startLogoutReceiver(service)
    try {
      const { tokens, client } = await receiver.addClient()
      const { backchannel_logout_uri: backchannelLogoutUri } = client
      const party = await addRelyingParty(service, { backchannel_logout_uri: backchannelLogoutUri })
      const { id_token } = await getTokens(service, party, person.bearer)
      await getTokens(service, shop, person.bearer)
      expect(await end(person.bearer, party.client.id)).toBe(204)
      await service.informClients()
      expect(tokens).toHaveLength(1)
      const { payload } = await verifyLogoutToken(service, tokens[0] ?? '', party.client)
      const { sub, sid } = decodeJwt(id_token)
      expect(payload).toMatchObject({ sub, sid })
    } finally {
      await receiver.close()
    }
  })
})

describe('no one else', () => {
  it.each(['0', '-1', '1.5', '2147483647', '99999999999', '__proto__', 'constructor', 'me', '%00'])(
    'ends anything with the ID %s',
    async (id) => {
      const { access_token } = await getTokens(service, shop, person.bearer)
      const statuses = [await end(person.bearer, id), await end(admin.bearer, shop.client.id)]
      for (const status of statuses) expect([400, 404]).toContain(status)
      expect(await userinfo(access_token)).toBe(200)
    },
  )

  it('reads or ends it without rights, with an ended session, an API token, or while impersonating', async () => {
    const { access_token } = await getTokens(service, shop, person.bearer)
    const stranger = await addSignedIn(service)
    const managed = `/api/2/users/${person.user.id}/apps`
    const send = async (method: string, bearer: string, address: string) =>
      (await service.client(method, address, { bearer })).status
    expect(await send('GET', stranger.bearer, managed)).toBe(403)
    expect(await send('DELETE', stranger.bearer, `${managed}/${shop.client.id}`)).toBe(403)
    expect(await end(stranger.bearer)).toBe(404)
    const ended = await signIn(service, person)
    await service.client('POST', '/api/2/auth/logout', { bearer: ended })
    expect(await end(ended)).toBe(401)
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer: person.bearer,
      body: { name: 'x' },
    })
    expect(await end(created.body.token)).toBe(403)
    const body = { user: person.user.id }
    const { bearer: acting } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const start = await service.client('POST', '/api/2/auth/impersonation', { bearer: acting, body })
    expect([start.status, await end(acting), await send('GET', acting, path)]).toEqual([204, 403, 403])
    expect(await userinfo(access_token)).toBe(200)
  })
})
