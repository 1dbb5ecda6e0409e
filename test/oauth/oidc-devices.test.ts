import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import {
  answerDevice,
  getDeviceTokens,
  pollDevice,
  postDevice,
  sendDeviceForm,
  startDevice,
} from '../support/devices.ts'
import { addRelyingParty, proveClient, refresh } from '../support/oidc.ts'
import type { ClientOverrides } from '../support/oidc-clients.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Users who sign in on devices without a browser (RFC 8628). */

const films = 'https://films.example'
const service = await useService()
const person = await addSignedIn(service, {
  permissions: ['films:view'],
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
})

const addDeviceClient = (overrides: ClientOverrides = {}) =>
  addRelyingParty(service, { type: 'public', redirect_uris: [], device_authorization: true, ...overrides })

const party = await addDeviceClient()
const readAudit = async (event: string) => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const path = `/api/2/auth/audit-events?event=${event}`
  return (await service.client('GET', path, { bearer: admin.bearer })).body[0]
}

describe('a device', () => {
  it('gets its codes', async () => {
    const { status, body, headers } = await postDevice(service, proveClient(party))
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const code = '[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}'
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[A-Z]{8}\.[\w-]{43}$/),
      user_code: expect.stringMatching(new RegExp(`^${code}$`)),
      verification_uri: `${service.url}/device`,
      verification_uri_complete: `${service.url}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('gets the tokens of a user who approves it', async () => {
    const api = await addDeviceClient({ audiences: [films], permissions: ['films:view'] })
    const scope = 'openid profile permissions offline_access'
    const { device_code, user_code } = await startDevice(service, api, { scope, resource: films })
    expect(await pollDevice(service, api, device_code)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending' },
    })
    const done = await answerDevice(
      service,
      user_code.toLowerCase().replace('-', ' '),
      'continue',
      person.bearer,
    )
    expect([done.status, done.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(done.text).toContain('Your device is signed in')
    const { status, body } = await pollDevice(service, api, device_code)
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'id_token', 'refresh_token', 'scope', 'token_type'],
    ])
    const { clientId } = api.client
    const access = decodeJwt(body.access_token)
    expect(access).toMatchObject({ aud: films, client_id: clientId, permissions: ['films:view'], scope })
    const id = decodeJwt(body.id_token)
    expect(id).toMatchObject({ aud: clientId, sub: String(person.user.id), amr: ['pwd'] })
    expect([id['acr'], id['auth_time']]).toEqual([access['acr'], access['auth_time']])
    const renewed = await refresh(service, api, body.refresh_token)
    expect(renewed.status).toBe(200)
    const { body: apps } = await service.client('GET', '/api/2/users/me/apps', { bearer: person.bearer })
    expect(apps.map((app: { name: string }) => app.name)).toContain(api.client.name)
    expect(await readAudit('oidc_client.device_approved')).toMatchObject({
      user: person.user.id,
      target: String(api.client.id),
    })
  })

  it('opens userinfo with a token for no API', async () => {
    const { access_token } = await getDeviceTokens(service, party, person.bearer)
    const { status, body } = await service.client('GET', '/oauth2/userinfo', { bearer: access_token })
    expect([status, body.preferred_username]).toEqual([200, person.user.username])
  })

  it('of a confidential client proves who it is', async () => {
    const server = await addDeviceClient({ type: 'confidential' })
    expect((await getDeviceTokens(service, server, person.bearer)).token_type).toBe('Bearer')
    const { clientId: client_id } = server.client
    for (const fields of [{ client_id }, { client_id, client_secret: 'wrong' }, {}])
      expect((await postDevice(service, fields as Record<string, string>)).status).toBe(401)
  })

  it('learns that the user refused it', async () => {
    const { device_code, user_code } = await startDevice(service, party)
    const done = await answerDevice(service, user_code, 'cancel', person.bearer)
    expect(done.text).toContain('Canceled')
    for (const _ of [1, 2])
      expect((await pollDevice(service, party, device_code)).body.error).toBe('access_denied')
    expect(await readAudit('oidc_client.device_denied')).toMatchObject({ target: String(party.client.id) })
  })

  it('is slowed down for good if it asks too often', async () => {
    const { device_code, user_code } = await startDevice(service, party)
    const poll = async () => (await pollDevice(service, party, device_code)).body.error
    expect([await poll(), await poll(), await poll()]).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
    ])
    await answerDevice(service, user_code, 'continue', person.bearer)
    expect((await pollDevice(service, party, device_code)).status).toBe(200)
  })
})

it('openid-client signs a user in', { timeout: 60_000 }, async () => {
  const options = { execute: [client.allowInsecureRequests] }
  const { clientId } = party.client
  const config = await client.discovery(new URL(service.url), clientId, undefined, client.None(), options)
  const scope = 'openid profile offline_access'
  const started = await client.initiateDeviceAuthorization(config, { scope })
  await answerDevice(service, started.user_code, 'continue', person.bearer)
  const tokens = await client.pollDeviceAuthorizationGrant(config, started)
  const { sub = '' } = tokens.claims() ?? {}
  expect(sub).toBe(String(person.user.id))
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect((await client.fetchUserInfo(config, refreshed.access_token, sub)).sub).toBe(sub)
  await client.tokenRevocation(config, refreshed.refresh_token ?? '')
})

describe('the pages', () => {
  it('lead to the sign-in page and back', async () => {
    const { user_code, verification_uri_complete } = await startDevice(service, party)
    const { pathname, search } = new URL(verification_uri_complete)
    const answers = [
      await service.client('GET', `${pathname}${search}`),
      await sendDeviceForm(service, '/device', { user_code }),
      await answerDevice(service, user_code, 'continue'),
    ]
    for (const { status, headers } of answers) {
      const location = new URL(headers.get('location') ?? '')
      expect([status, location.searchParams.get('return_to')]).toEqual([303, verification_uri_complete])
    }
  })

  it('show the code of the address, and send nothing themselves', async () => {
    const { user_code } = await startDevice(service, party)
    const page = await service.client('GET', `/device?user_code=${user_code}`, { bearer: person.bearer })
    expect(page.text).toContain(`value="${user_code}"`)
    expect(page.text).not.toContain(party.client.name)
  })

  it('name the app, the code, the user and what the app gets', async () => {
    const name = 'Films <b>TV</b>'
    const tv = await addDeviceClient({ name, normalizedName: 'films tv', audiences: ['reports'] })
    const resource = 'urn:latchkey:audience:reports'
    const { user_code } = await startDevice(service, tv, { scope: 'openid profile email', resource })
    const { text: body, headers } = await sendDeviceForm(service, '/device', { user_code }, person)
    for (const text of [
      ...['Films &lt;b&gt;TV&lt;/b&gt;', user_code, person.user.username],
      ...['your email address: ada@example.com', 'access in your name to reports', 'your user ID'],
      `your name, username and language: Ada Lovelace, ${person.user.username}`,
    ])
      expect(body).toContain(text)
    for (const text of ['<b>', 'your groups', 'until you end it']) expect(body).not.toContain(text)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('say that a code is wrong', async () => {
    for (const user_code of ['', 'BBBB-BBBB', 'nothing', '🐙', '<script>']) {
      const { status, text: body } = await sendDeviceForm(service, '/device', { user_code }, person)
      expect([status, body.includes('This code is wrong or has expired')]).toEqual([200, true])
      expect(body).not.toContain('<script')
    }
  })

  it('are shown in the language of the browser', async () => {
    const headers = { cookie: `latchkey=${person.bearer}; language=de` }
    const { text: body } = await service.client('GET', '/device', { headers })
    expect(body).toContain('Auf einem Gerät anmelden')
  })
})

describe('a client', () => {
  it('needs the switch', async () => {
    const other = await addRelyingParty(service)
    const answer = await postDevice(service, proveClient(other))
    expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client'])
    expect((await pollDevice(service, other, 'x')).status).toBe(400)
  })

  it('gets no more than it may ask for', async () => {
    const small = await addDeviceClient({ scopes: ['openid'] })
    const ask = async (fields: Record<string, string>) =>
      (await postDevice(service, { ...proveClient(small), ...fields })).body.error
    expect(await ask({ scope: 'openid email' })).toBe('invalid_scope')
    expect(await ask({ resource: films })).toBe('invalid_target')
  })

  it('is registered with the switch, and without redirect addresses', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const path = '/api/2/oidc-clients'
    const send = (body: object) => service.client('POST', path, { bearer, body })
    const plain = { name: 'A command line', type: 'public', redirect_uris: [] }
    expect((await send(plain)).status).toBe(400)
    const made = await send({ ...plain, device_authorization: true })
    expect([made.status, made.body.device_authorization]).toEqual([201, true])
    const off = { device_authorization: false }
    const change = (body: object) => service.client('PATCH', `${path}/${made.body.id}`, { bearer, body })
    expect((await change(off)).status).toBe(400)
    const app = await change({ ...off, redirect_uris: ['https://app.example/cb'] })
    expect([app.status, app.body.device_authorization]).toEqual([200, false])
  })

  it('finds the endpoint in the metadata', async () => {
    const { body } = await service.client('GET', '/.well-known/openid-configuration')
    expect(body.device_authorization_endpoint).toBe(`${service.url}/oauth2/device`)
    expect(body.grant_types_supported).toContain('urn:ietf:params:oauth:grant-type:device_code')
  })
})
