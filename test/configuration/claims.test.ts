import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { clientKind, findClient } from '../../lib/features/oauth/clients.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { editUniqueNameRecord } from '../../lib/kernel/table/unique-name-records.ts'
import { getTokens } from '../support/oidc.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply, createContext, listProblems } from './support.ts'

/* A file says which claims its clients and APIs get. */

const service = await useService()
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const audience = 'https://films.example.com/file'
const team = { name: 'team', type: 'text' }
const claim = {
  ...{ name: 'team', place: 'top', source: 'attribute', value: 'team' },
  ...{ outputs: ['id_token', 'access_token'], clients: ['films-web'], apis: [audience] },
}
const document = {
  ...{ schema_version: 1, owner: 'films' },
  apis: { films: { name: 'Films', audience } },
  clients: {
    'films-web': {
      ...{ name: 'Films', redirect_uris: ['https://films.example.com/callback'] },
      ...{ scopes: ['openid', 'attributes', 'offline_access'], apis: [{ audience, scopes: [] }] },
    },
  },
  user_attributes: { attributes: [team], claims: [claim] },
}
const kindsOf = async (given: object) => (await apply(services, given)).map(({ kind }) => kind)

/** What the tokens of the client state. It gets a secret that this test knows. */
const readTeam = async () => {
  const client = await findClient(services.table, 'films-web')
  if (!client) throw new Error('there is no client')
  const { value, hash } = mintCredential('oidc_client_secret', client.id)
  const secrets = [{ id: 1, hash, createdAt: Date.now(), expiresAt: null }]
  const known = await editUniqueNameRecord(services.table, clientKind, client, { changes: { secrets } })
  const overrides = { scope: 'openid attributes offline_access', resource: audience }
  const tokens = await getTokens(service, { client: known, secret: value }, admin.bearer, overrides)
  return [tokens.id_token, tokens.access_token].map((token) => decodeJwt(token)['team'])
}

it('reach the client that the same file creates, also after somebody deleted it', async () => {
  expect(await kindsOf(document)).toEqual(['api', 'client', 'user_attributes'])
  await call('PATCH', `users/${admin.user.id}`, { attributes: [{ name: 'team', value: 'Blue' }] })
  expect(await readTeam()).toEqual(['Blue', 'Blue'])
  expect(await kindsOf(document)).toEqual([])
  const exported = await exportDocument(services, createContext(services), 'films')
  expect(exported.user_attributes?.claims).toEqual([claim])
  const client = await findClient(services.table, 'films-web')
  await call('POST', 'system/managed/client/films-web/unlock')
  expect((await call('DELETE', `oidc-clients/${client?.id}`)).status).toBe(204)
  expect(await kindsOf(document)).toEqual(['client'])
  expect(await readTeam()).toEqual(['Blue', 'Blue'])
})

it('are refused with their place in the file, and nothing is applied', async () => {
  const withAttributes = (fields: object) => ({
    ...document,
    user_attributes: { attributes: [team], claims: [claim], ...fields },
  })
  const wrong = { ...claim, name: 'sub', clients: ['films-shop'], apis: ['https://other.example.com'] }
  expect(await listProblems(() => apply(services, withAttributes({ claims: [wrong] })))).toEqual([
    'user_attributes.claims.0.name must not be the name of a claim that the service states itself',
    'user_attributes.claims.0.clients.0 must be the client_id of a client',
    'user_attributes.claims.0.apis.0 must be the audience of an API',
  ])
  const writable = [{ ...team, user_access: 'write' }]
  expect(await listProblems(() => apply(services, withAttributes({ attributes: writable })))).toEqual([
    'user_attributes.claims.0.outputs must not have access_token or introspection: users can write team, and APIs would trust it',
  ])
  // The client that a claim names cannot go while the claim stays.
  const { clients: _, ...withoutClient } = document
  expect(await listProblems(() => apply(services, withoutClient, { prune: true }))).toEqual([
    'user_attributes.claims.0.clients.0 must be the client_id of a client',
  ])
})

it('go together with their attribute', async () => {
  const gone = { attributes: [], delete_values: ['team'] }
  expect(await kindsOf({ ...document, user_attributes: gone })).toEqual(['user_attributes'])
  expect(await readTeam()).toEqual([undefined, undefined])
})
