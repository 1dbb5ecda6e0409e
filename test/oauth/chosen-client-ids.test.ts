import { describe, expect, it } from 'vitest'
import type { ClientRecord } from '../../lib/features/oauth/clients.records.ts'
import { apply, unique } from '../configuration/support.ts'
import { exchangeCode, getCode, getTokens, postToken, proveClient, refresh } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A client can have an identifier that an administrator chose, so that a product has the same one in every stage. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service, { permissions: ['films:view'] })
const call = callAs(service, admin)
const audience = 'https://films.example.com/api'
await call('POST', 'protected-apis', {
  ...{ name: 'Films', audience, permissions: [{ name: 'films:view', texts: { en: 'View films' } }] },
  scopes: [{ name: 'films.read', texts: { en: 'Read films' }, permissions: ['films:view'] }],
})

const fields = (name: string) => ({
  ...{ name, redirect_uris: ['https://films.example.com/callback'] },
  scopes: ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'],
  ...{ apis: [{ audience, scopes: ['films.read'] }], machine_permissions: ['films:view'] },
})
const create = (id: string, more: object = {}) =>
  call('POST', 'oidc-clients', { ...fields(unique('films')), client_id: id, ...more })

/** A client that was registered over HTTP, as the helpers of tests expect one. */
const addChosen = async (id = unique('web')) => {
  const { body } = await create(id)
  const client = { ...body, clientId: body.client_id } as ClientRecord
  return { client, secret: String(body.client_secret), id: Number(body.id) }
}

const post = (path: string, form: Readonly<Record<string, string>>) =>
  service.client('POST', `/oauth2/${path}`, {
    raw: String(new URLSearchParams(form)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('a chosen client ID', () => {
  it('works in the whole life of a sign-in, and for tokens of the client itself', async () => {
    const party = await addChosen()
    const tokens = await getTokens(service, party, person.bearer)
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
    expect(claims.aud).toBe(party.client.clientId)
    const fresh = await refresh(service, party, tokens.refresh_token)
    expect(fresh.status).toBe(200)
    const introspect = async (token: string) =>
      (await post('introspect', { token, ...proveClient(party) })).body.active
    expect(await introspect(fresh.body.access_token)).toBe(true)
    expect(
      (await service.client('GET', '/oauth2/userinfo', { bearer: fresh.body.access_token })).status,
    ).toBe(200)
    await post('revoke', { token: fresh.body.refresh_token, ...proveClient(party) })
    expect(await introspect(fresh.body.access_token)).toBe(false)

    const machine = await postToken(service, {
      ...{ grant_type: 'client_credentials', resource: audience, scope: 'films.read' },
      ...proveClient(party),
    })
    expect(machine.status).toBe(200)
    expect(await introspect(machine.body.access_token)).toBe(true)
    const apps = await service.client('GET', '/api/2/users/me/apps', { bearer: person.bearer })
    expect(apps.status).toBe(200)
  })

  it('ends with its client, and nobody gets it again', async () => {
    const party = await addChosen()
    const { clientId } = party.client
    const tokens = await getTokens(service, party, person.bearer)
    const code = await getCode(service, party, person.bearer)
    await call('DELETE', `oidc-clients/${party.id}`)
    expect((await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })).status).toBe(
      401,
    )
    expect((await exchangeCode(service, party, code)).body.error).toBe('invalid_client')
    expect((await refresh(service, party, tokens.refresh_token)).body.error).toBe('invalid_client')
    const again = await create(clientId)
    expect([again.status, again.body.detail]).toEqual([
      409,
      'A client has or had this `client_id`. Choose another one.',
    ])
  })

  it('is given to one of a hundred who want it at once', async () => {
    const id = unique('web')
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
  })

  it.each([
    ['', 'must not be empty'],
    ['1-0123456789abcdef01234567', 'must begin with a letter'],
    ['https://films.example.com/client', 'must begin with a letter'],
    ['__proto__', 'must begin with a letter'],
    ['Web', 'must begin with a letter'],
    ['web\n', 'must begin with a letter'],
    ['w'.repeat(51), 'must begin with a letter'],
  ])('cannot be %j', async (id, message) => {
    const { status, body } = await create(id)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'client_id', message: expect.stringContaining(message) }])
  })

  it('never changes, but can be sent back', async () => {
    const { client, id } = await addChosen()
    const { body } = await call('GET', `oidc-clients/${id}`)
    expect((await call('PATCH', `oidc-clients/${id}`, body)).status).toBe(200)
    const changed = await call('PATCH', `oidc-clients/${id}`, { client_id: `${client.clientId}-2` })
    expect(changed.body.errors).toEqual([{ field: 'client_id', message: 'cannot be changed' }])
  })
})

describe('the key of a client in a document', () => {
  const createDocument = () => {
    const owner = unique('shop')
    return { schema_version: 1, owner, clients: { [owner]: fields(owner) } }
  }

  it('is its client ID', async () => {
    const document = createDocument()
    await apply(service.services, document)
    const { body } = await call('GET', `oidc-clients?filter=${document.owner}`)
    expect(body).toMatchObject([{ client_id: document.owner }])
  })

  it('stays its client ID when somebody deleted the client, and tokens from before stay ended', async () => {
    const document = createDocument()
    await apply(service.services, document)
    const find = async () => (await call('GET', `oidc-clients?filter=${document.owner}`)).body[0]
    const first = await find()
    const renew = async (id: number) =>
      (await call('POST', `oidc-clients/${id}/secret`, {})).body.client_secret
    const before = {
      client: { ...first, clientId: first.client_id } as ClientRecord,
      secret: await renew(first.id),
    }
    const tokens = await getTokens(service, before, person.bearer)
    await call('POST', `system/managed/client/${document.owner}/unlock`)
    expect((await call('DELETE', `oidc-clients/${first.id}`)).status).toBe(204)
    await apply(service.services, document)
    const second = await find()
    expect(second.client_id).toBe(first.client_id)
    const after = {
      client: { ...second, clientId: second.client_id } as ClientRecord,
      secret: await renew(second.id),
    }
    expect((await refresh(service, after, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(
      (await post('introspect', { token: tokens.access_token, ...proveClient(after) })).body.active,
    ).toBe(false)
    expect((await getTokens(service, after, person.bearer)).access_token).toBeTruthy()
  })
})
