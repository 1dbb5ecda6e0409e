import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { authenticateClient } from '../../lib/features/oauth/authenticate-client.ts'
import { newClient } from '../../lib/features/oauth/clients.models.ts'
import { clientCountKey } from '../../lib/kernel/table/keys/oauth-keys.ts'
import { allPages } from '../support/directory.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const scopes = { 'films.read': ['films:view'], 'films.edit': ['films:edit'] }
await ensureApi(service.services.table, 'https://api.example', { scopes })
await ensureApi(service.services.table, 'urn:example:api')

const path = '/api/2/oidc-clients'
const at = (id: number) => `${path}/${id}`
const call = callAs(service, admin)
const redirect_uris = ['https://shop.example.com/callback']
const create = (body: object = {}) =>
  call('POST', path, { name: `c-${randomUUID()}`, redirect_uris, ...body })
const addGroup = async (permissions: readonly string[]): Promise<number> =>
  (await call('POST', '/api/2/groups', { name: `g-${randomUUID()}`, permissions })).body.id
const context = { address: '192.0.2.7', userAgent: '', requestId: 'x', actor: null, at: Date.now() }
const canAuthenticate = async (clientId: string, clientSecret: string): Promise<boolean> => {
  const proof = { authorizationHeader: undefined, clientId, clientSecret }
  return (await authenticateClient(service.services, proof, context)) !== undefined
}

describe('a client', () => {
  it('is created with defaults, and its secret is shown once', async () => {
    const name = `c-${randomUUID()}`
    const created = await create({ name })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(at(created.body.id))
    expect(created.headers.get('cache-control')).toBe('no-store')
    const { client_secret, ...shown } = created.body
    expect(shown).toEqual({
      ...newClient,
      id: expect.any(Number),
      client_id: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
      name,
      type: 'confidential',
      redirect_uris,
      post_logout_redirect_uris: [],
      scopes: ['openid', 'profile', 'email'],
      apis: [],
      permissions: [],
      machine_permissions: null,
      machine_groups: [],
      machine_organizations: false,
      organizations: 'optional',
      public_keys: [],
      requires_pkce: true,
      requires_par: false,
      requires_dpop: false,
      subject_source: null,
      device_authorization: false,
      backchannel_logout_uri: null,
      access_token_lifetime: 600,
      id_token_lifetime: 600,
      refresh_token_lifetime: 1_209_600,
      refresh_token_idle_lifetime: 604_800,
      has_client_secret: true,
      client_secrets: [{ id: 1, created_at: expect.any(String), expires: null, last_used: null }],
      used_networks: [],
      created_at: expect.any(String),
    })
    expect(client_secret).toMatch(/^lko_[0-9A-Za-z]{45}$/)
    const read = await call('GET', at(shown.id))
    expect(read.body).toEqual(shown)
    expect(await canAuthenticate(shown.client_id, client_secret)).toBe(true)
    const stored = JSON.stringify(await service.services.table.list(`oidc-client#${shown.id}`, ''))
    expect(stored).toContain(shown.client_id)
    expect(stored).not.toContain(client_secret)
  })

  it('without a secret is created for an app', async () => {
    const { status, body } = await create({
      type: 'public',
      redirect_uris: ['com.example.shop:/callback', 'http://127.0.0.1:4000/cb', 'http://[::1]/cb'],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'public', client_secret: null, has_client_secret: false })
    expect(await canAuthenticate(body.client_id, '')).toBe(true)
    expect((await call('POST', `${at(body.id)}/secret`, {})).status).toBe(409)
  })

  it('is changed field by field, and can be sent back as it was read', async () => {
    const { client_secret, ...created } = (await create()).body
    const changes = {
      name: `c-${randomUUID()}`,
      redirect_uris: ['https://other.example/cb?tenant=1', 'https://other.example'],
      post_logout_redirect_uris: ['https://other.example/'],
      scopes: ['email', 'openid'],
      apis: [
        { audience: 'https://api.example', scopes: ['films.edit', 'films.read'] },
        { audience: 'urn:example:api', scopes: [] },
      ],
      permissions: ['films:edit', 'films:view'],
      machine_permissions: ['films:view'],
      machine_groups: [await addGroup([])],
      requires_pkce: false,
      requires_par: true,
      requires_dpop: true,
      subject_source: 'keycloak',
      device_authorization: true,
      backchannel_logout_uri: 'https://other.example/logout',
      access_token_lifetime: 60,
      id_token_lifetime: 3600,
      refresh_token_lifetime: 2_592_000,
      refresh_token_idle_lifetime: 7200,
    }
    const changed = await call('PATCH', at(created.id), changes)
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...created, ...changes, scopes: ['openid', 'email'] })
    expect((await call('PATCH', at(created.id), changed.body)).body).toEqual(changed.body)
    expect((await call('GET', at(created.id))).body).toEqual(changed.body)
    expect(await canAuthenticate(created.client_id, client_secret)).toBe(true)
    const { body: events } = await call('GET', '/api/2/auth/audit-events?event=oidc_client.changed')
    const [target] = events
      .map(({ target }: { target: string }) => target.split(' '))
      .filter(([id]: string[]) => id === String(created.id))
    expect(target.slice(1).sort()).toEqual(Object.keys(changes).sort())
  })

  it('gets a new secret, and the one before stops working at once', async () => {
    const { id, client_id, client_secret } = (await create()).body
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `${at(id)}/secret`, {})))
    const renewed = answers.filter(({ status }) => status === 200)
    expect(renewed.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const works = await Promise.all(
      [client_secret, ...renewed.map(({ body }) => body.client_secret)].map((secret) =>
        canAuthenticate(client_id, secret),
      ),
    )
    expect(works[0]).toBe(false)
    expect(works.filter((works) => works)).toHaveLength(1)
  })

  it('shows the day on which each secret was used last, however many requests use it at once', async () => {
    const { id, client_id, client_secret: first } = (await create()).body
    const { client_secret: second } = (await call('POST', `${at(id)}/secret`, { keep_previous_for: 604_800 }))
      .body
    const listUses = async () =>
      (await call('GET', at(id))).body.client_secrets.map((one: { last_used: unknown }) => one.last_used)
    await canAuthenticate(client_id, first)
    // The day of its creation says enough.
    expect(await listUses()).toEqual([null, null])
    const tomorrow = Date.now() + 86_400_000
    vi.useFakeTimers({ toFake: ['Date'], now: tomorrow })
    const used = await Promise.all(Array.from({ length: 20 }, () => canAuthenticate(client_id, first)))
    expect(new Set(used)).toEqual(new Set([true]))
    expect(await canAuthenticate(client_id, `${second}x`)).toBe(false)
    vi.useRealTimers()
    const day = `${new Date(tomorrow).toISOString().slice(0, 10)}T00:00:00.000Z`
    const [newest, before] = await listUses()
    expect([newest, new Date(before).toISOString()]).toEqual([null, day])
    // A secret that takes the place of the first one was not used.
    await call('POST', `${at(id)}/secret`, {})
    expect(await listUses()).toEqual([null])
  })

  it('changes its secret without an interruption: each works until its own time is over, or it is ended', async () => {
    const { id, client_id, client_secret: first } = (await create()).body
    const renew = async (keep_previous_for: number) =>
      (await call('POST', `${at(id)}/secret`, { keep_previous_for })).body.client_secret
    const listSecrets = async () => (await call('GET', at(id))).body.client_secrets
    const which = (...secrets: string[]) => Promise.all(secrets.map((one) => canAuthenticate(client_id, one)))
    const second = await renew(3600)
    expect(await which(first, second)).toEqual([true, true])
    const [newest, before] = await listSecrets()
    expect([newest, before]).toMatchObject([{ id: 2, expires: null }, { id: 1 }])
    expect(Date.parse(before.expires) - Date.parse(newest.created_at)).toBe(3_600_000)
    const third = await renew(7200)
    expect(await which(first, second, third)).toEqual([true, true, true])
    const expires = (await listSecrets()).map((one: { expires: string | null }) => one.expires)
    expect([expires[0], expires[2]]).toEqual([null, before.expires])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    expect(await which(first, second, third)).toEqual([false, true, true])
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await which(second, third)).toEqual([false, true])
    vi.useRealTimers()
    expect(await which(second, third)).toEqual([true, true])
    expect((await call('DELETE', `${at(id)}/secrets/1`)).status).toBe(204)
    const ends = await Promise.all([1, 2, 3].map(() => call('DELETE', `${at(id)}/secrets/2`)))
    expect(ends.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(await which(second, third)).toEqual([false, true])
    for (const unknown of ['2', '1', '0', '99', '__proto__'])
      expect([400, 404]).toContain((await call('DELETE', `${at(id)}/secrets/${unknown}`)).status)
    expect((await call('DELETE', `${at(id)}/secrets/3`)).status).toBe(204)
    expect((await call('GET', at(id))).body).toMatchObject({ has_client_secret: false, client_secrets: [] })
    expect((await call('POST', `${at(id)}/secret`, { keep_previous_for: 2_592_001 })).status).toBe(400)
    expect(await which(third, await renew(0))).toEqual([false, true])
  })

  it('keeps the secret that its product runs with, however often a lost answer is repeated', async () => {
    const { id, client_id, client_secret: running } = (await create()).body
    const renew = (keep_previous_for: number) => call('POST', `${at(id)}/secret`, { keep_previous_for })
    const answers = []
    for (let tries = 0; tries < 4; tries++) answers.push(await renew(86_400))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 409])
    expect(answers[2]?.body.detail).toContain('3 secrets')
    const known = [running, ...answers.flatMap(({ body }) => body.client_secret ?? [])]
    const listWorking = () => Promise.all(known.map((one) => canAuthenticate(client_id, one)))
    expect(await listWorking()).toEqual([true, true, true])
    const parallel = await Promise.all(Array.from({ length: 10 }, () => renew(86_400)))
    expect(parallel.filter(({ status }) => status !== 409)).toEqual([])
    // One that no server uses makes room.
    const [, lost] = (await call('GET', at(id))).body.client_secrets
    expect((await call('DELETE', `${at(id)}/secrets/${lost.id}`)).status).toBe(204)
    known.push((await renew(86_400)).body.client_secret)
    expect(await listWorking()).toEqual([true, false, true, true])
    // After a leak, nothing is left.
    known.push((await renew(0)).body.client_secret)
    expect(await listWorking()).toEqual([false, false, false, false, true])
  })

  it('is deleted, and its name and place become free', async () => {
    const { table } = service.services
    const { id, name, client_id, client_secret } = (await create()).body
    const count = (await table.get(clientCountKey))?.['count']
    expect((await call('DELETE', at(id))).status).toBe(204)
    expect(await canAuthenticate(client_id, client_secret)).toBe(false)
    expect((await call('GET', at(id))).status).toBe(404)
    expect((await call('DELETE', at(id))).status).toBe(404)
    expect((await table.get(clientCountKey))?.['count']).toBe(Number(count) - 1)
    expect((await create({ name })).status).toBe(201)
  })

  it('has a name that no other client has', async () => {
    const { name } = (await create()).body
    const refused = await create({ name: name.toUpperCase() })
    expect([refused.status, refused.body.errors]).toEqual([
      409,
      [{ field: 'name', message: 'is already taken', code: 'taken' }],
    ])
    const race = await Promise.all([1, 2, 3, 4].map(() => create({ name: 'Raced' })))
    expect(race.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const other = (await create()).body
    expect((await call('PATCH', at(other.id), { name })).status).toBe(409)
  })

  it('is found in pages and by parts of its name', async () => {
    const names = ['Zebra portal', 'Apple portal', 'Mango shop']
    for (const name of names) await create({ name })
    const list = async (query: string) =>
      (await allPages<{ name: string }>(service, `${path}${query}`, admin.bearer))
        .flat()
        .map(({ name }) => name)
    expect(await list('?filter=PORTAL&ordering=name&limit=1')).toEqual([names[1], names[0]])
    expect(await list('?filter=portal&ordering=-id')).toEqual([names[1], names[0]])
    expect(await list('?filter=mango+shop&filtering_mode=exact')).toEqual([names[2]])
    expect(await list('?filter=apple&filtering_mode=startswith')).toEqual([names[1]])
    expect((await list('?limit=2')).length).toBeGreaterThan(2)
  })

  it('cannot be created once there are 1,000', async () => {
    const { table } = service.services
    const before = await table.get(clientCountKey)
    await table.put({ ...clientCountKey, count: 999 })
    const answers = await Promise.all([create(), create(), create()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    await table.put({ ...before, ...clientCountKey })
  })
})

describe('a request is refused', () => {
  const repeat = <Entry>(count: number, make: (at: number) => Entry) =>
    Array.from({ length: count }, (_, at) => make(at))

  it.each([
    ['no address', [], 'redirect_uris'],
    ['a relative address', ['/callback'], 'redirect_uris.0'],
    ['plain http', ['http://shop.example.com/cb'], 'redirect_uris.0'],
    ['http to a host that looks like loopback', ['http://127.0.0.1.example.com/cb'], 'redirect_uris.0'],
    ['http to localhost in a subdomain', ['http://localhost.example/cb'], 'redirect_uris.0'],
    ['a fragment', ['https://shop.example.com/cb#x'], 'redirect_uris.0'],
    ['an empty fragment', ['https://shop.example.com/cb#'], 'redirect_uris.0'],
    ['a wildcard host', ['https://*.example.com/cb'], 'redirect_uris.0'],
    ['a wildcard path', ['https://shop.example.com/*'], 'redirect_uris.0'],
    ['credentials', ['https://me:secret@shop.example.com/cb'], 'redirect_uris.0'],
    ['an empty username', ['https://@shop.example.com/cb'], 'redirect_uris.0'],
    ['a backslash', ['https://shop.example.com\\@evil.example/cb'], 'redirect_uris.0'],
    ['a dot segment', ['https://shop.example.com/a/../cb'], 'redirect_uris.0'],
    ['upper case in the host', ['https://Shop.example.com/cb'], 'redirect_uris.0'],
    ['a semicolon in the host', ['https://a;script-src.example/cb'], 'redirect_uris.0'],
    ['a comma in the host', ['https://a,b.example/cb'], 'redirect_uris.0'],
    ['a replacement in the host', ['https://$&.example/cb'], 'redirect_uris.0'],
    ['a quote in the host', ["https://a'.example/cb"], 'redirect_uris.0'],
    ['an encoded line break in the host', ['https://a%0d%0a.example/cb'], 'redirect_uris.0'],
    ['a default port', ['https://shop.example.com:443/cb'], 'redirect_uris.0'],
    ['white space', [' https://shop.example.com/cb'], 'redirect_uris.0'],
    ['a line break', ['https://shop.example.com/c\nb'], 'redirect_uris.0'],
    ['a script', ['javascript:alert(1)//.x'], 'redirect_uris.0'],
    ['data', ['data:text/html,x'], 'redirect_uris.0'],
    ['the scheme of an app', ['com.example.app:/cb'], 'redirect_uris.0'],
    ['a repeated address', ['https://a.example/cb', 'https://a.example/cb'], 'redirect_uris.1'],
    ['21 addresses', repeat(21, (at) => `https://a.example/${at}`), 'redirect_uris'],
    ['a long address', [`https://a.example/${'x'.repeat(500)}`], 'redirect_uris.0'],
    ['a number', [1], 'redirect_uris.0'],
    ['a text', 'https://a.example/cb', 'redirect_uris'],
  ])('with %s as redirect address', async (_, redirect_uris, field) => {
    const { status, body } = await create({ redirect_uris })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toContain(field)
    if (field === 'redirect_uris' && redirect_uris.length === 0) return
    const logout = await create({ post_logout_redirect_uris: redirect_uris })
    expect(logout.status).toBe(400)
  })

  it.each([
    ['scheme without a dot', 'myapp:/cb'],
    ['scheme without a slash', 'com.example.app:cb'],
    ['script', 'javascript:alert(1)'],
    ['file', 'file:///etc/passwd'],
    ['mail address', 'mailto:a@example.com'],
  ])('with a %s as redirect address of an app', async (_, uri) => {
    expect((await create({ type: 'public', redirect_uris: [uri] })).status).toBe(400)
  })

  it.each([
    ['an unknown type', { type: 'spa' }, 'type'],
    ['an unknown scope', { scopes: ['openid', 'admin'] }, 'scopes.1'],
    ['no scope openid', { scopes: ['email'] }, 'scopes'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['an API that is not registered', { apis: [{ audience: 'a', scopes: [] }] }, 'apis.0.audience'],
    ['an API without scopes', { apis: [{ audience: 'urn:example:api' }] }, 'apis.0.scopes'],
    [
      'a scope of another API',
      { apis: [{ audience: 'urn:example:api', scopes: ['films.read'] }] },
      'apis.0.scopes.0',
    ],
    ['an API by its ID', { apis: [{ id: 1, audience: 'urn:example:api', scopes: [] }] }, 'apis.0.id'],
    ['an API of a prototype', { apis: [{ audience: '__proto__', scopes: [] }] }, 'apis.0.audience'],
    ['a permission of another form', { permissions: ['films'] }, 'permissions.0'],
    ['101 permissions', { permissions: repeat(101, (at) => `films:${at}`) }, 'permissions'],
    ['an empty audience', { apis: [{ audience: '', scopes: [] }] }, 'apis.0.audience'],
    ['21 APIs', { apis: repeat(21, (at) => ({ audience: `urn:${at}`, scopes: [] })) }, 'apis'],
    ['a short access token', { access_token_lifetime: 59 }, 'access_token_lifetime'],
    ['an access token of more than an hour', { access_token_lifetime: 3601 }, 'access_token_lifetime'],
    ['an ID token of more than an hour', { id_token_lifetime: 3601 }, 'id_token_lifetime'],
    ['a half second', { id_token_lifetime: 60.5 }, 'id_token_lifetime'],
    ['a refresh token of more than 30 days', { refresh_token_lifetime: 2_592_001 }, 'refresh_token_lifetime'],
    [
      'a refresh token that is idle at once',
      { refresh_token_idle_lifetime: 7199 },
      'refresh_token_idle_lifetime',
    ],
    ['plain http for logout', { backchannel_logout_uri: 'http://a.example/' }, 'backchannel_logout_uri'],
    ['loopback for logout', { backchannel_logout_uri: 'http://127.0.0.1/' }, 'backchannel_logout_uri'],
    ['a name of spaces', { name: ' ' }, 'name'],
    ['an unknown field', { grant_types: [] }, 'grant_types'],
  ])('with %s', async (_, body, field) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([field])
  })

  it('to change the type, the ID, the secret or the owner of a client', async () => {
    const { id, client_id } = (await create()).body
    const { status, body } = await call('PATCH', at(id), { type: 'public', client_id: '1-x' })
    expect(status).toBe(400)
    expect(body.errors).toEqual(
      ['type', 'client_id'].map((field) => ({ field, message: 'cannot be changed' })),
    )
    for (const field of ['secrets', 'secret_hash', 'client_secret', 'created_by', 'version'])
      expect((await call('PATCH', at(id), { [field]: 'x' })).status).toBe(400)
    // Fields of responses are ignored.
    const ignored = await call('PATCH', at(id), { client_id, id: 9, has_client_secret: false })
    expect(ignored.body).toMatchObject({ id, client_id, has_client_secret: true })
  })

  it('by an API token that would change a client', async () => {
    const token = (await call('POST', '/api/2/api-tokens', { name: 'ci', scopes: ['oidc-clients:view'] }))
      .body.token
    const { id } = (await create()).body
    const status = async (method: string, path: string, body?: object) =>
      (await service.client(method, path, { bearer: token, body })).status
    expect(await status('GET', path)).toBe(200)
    expect(await status('GET', at(id))).toBe(200)
    expect(await status('POST', path, { name: 'x', redirect_uris })).toBe(403)
    expect(await status('PATCH', at(id), { name: 'x' })).toBe(403)
    expect(await status('POST', `${at(id)}/secret`)).toBe(403)
    expect(await status('DELETE', at(id))).toBe(403)
  })
})
