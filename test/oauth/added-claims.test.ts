import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { addRelyingParty, getTokens, proveClient, type RelyingParty } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Each combination of client, scope, API and organization, in all four places where claims can be: a claim reaches those who are named. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const { table } = service.services

const films = 'https://films.example.com/claims'
const music = 'https://music.example.com/claims'
for (const audience of [films, music]) await ensureApi(table, audience)
const scopes = ['openid', 'profile', 'attributes', 'organization'] as const
const clients = {
  named: await addRelyingParty(service, { scopes, audiences: [films, music], organizations: 'optional' }),
  other: await addRelyingParty(service, { scopes, audiences: [films, music], organizations: 'optional' }),
  stranger: await addRelyingParty(service, { scopes, audiences: [films, music], organizations: 'optional' }),
}
const { id: organization, owner: ada } = await addOrganization(service, admin)

const idOf = (name: keyof typeof clients) => clients[name].client.clientId
const everywhere = ['id_token', 'userinfo', 'access_token', 'introspection'] as const
type Output = (typeof everywhere)[number]

interface Row {
  readonly name: string
  readonly place: 'attributes' | 'top'
  readonly source: 'attribute' | 'organization' | 'text'
  readonly value: string
  readonly outputs: readonly Output[]
  readonly clients: readonly (keyof typeof clients)[]
  readonly apis: readonly string[]
  /** What it states. */
  readonly stated: unknown
  readonly scope: string
}

const rows: readonly Row[] = [
  {
    ...{ name: 'department', place: 'attributes', source: 'attribute', value: 'department' },
    ...{ outputs: everywhere, clients: ['named'], apis: [films], stated: 'Sales', scope: 'attributes' },
  },
  {
    ...{ name: 'level', place: 'top', source: 'attribute', value: 'level' },
    ...{
      outputs: ['access_token'],
      clients: ['named', 'other'],
      apis: [music],
      stated: 3,
      scope: 'attributes',
    },
  },
  {
    ...{ name: 'given_name', place: 'top', source: 'attribute', value: 'first_name' },
    ...{ outputs: ['id_token', 'userinfo'], clients: ['other'], apis: [], stated: 'Ada', scope: 'profile' },
  },
  {
    ...{ name: 'https://films.example.com/crm', place: 'top', source: 'organization', value: 'external_id' },
    ...{ outputs: everywhere, clients: ['named', 'other'], apis: [films, music], stated: 'crm-7' },
    scope: 'attributes',
  },
  {
    ...{ name: 'region', place: 'top', source: 'text', value: 'eu' },
    ...{ outputs: ['introspection', 'id_token'], clients: ['other'], apis: [films], stated: 'eu' },
    scope: 'attributes',
  },
]

beforeAll(async () => {
  const attributes = [
    { name: 'department', type: 'text' },
    { name: 'level', type: 'number' },
    { name: 'first_name', type: 'text', user_access: 'write' },
  ]
  const claims = rows.map(({ stated: _, scope: _s, ...claim }) => ({
    ...claim,
    clients: claim.clients.map(idOf),
  }))
  const saved = await call('PUT', 'system/user-attributes', { attributes, claims })
  expect(saved.status, saved.text).toBe(200)
  expect(saved.body.claims).toEqual(claims)
  await call('PATCH', `organizations/${organization}`, { external_id: 'crm-7' })
  const values = { department: 'Sales', level: 3, first_name: 'Ada' }
  const changed = Object.entries(values).map(([name, value]) => ({ name, value }))
  expect((await call('PATCH', `users/${ada.user.id}`, { attributes: changed })).status).toBe(200)
})

const introspect = async (party: RelyingParty, token: string): Promise<Readonly<Record<string, unknown>>> => {
  const body = new URLSearchParams({ ...proveClient(party), token })
  const answer = await fetch(`${service.url}/oauth2/introspect`, { method: 'POST', body })
  return (await answer.json()) as Record<string, unknown>
}

/** What a place states of the added claims. */
const pick = (stated: Readonly<Record<string, unknown>>) => {
  const nested = Object.entries((stated['attributes'] ?? {}) as object).map(([name, value]) => [
    `attributes.${name}`,
    value,
  ])
  const top = rows.filter(({ place }) => place === 'top').map(({ name }) => [name, stated[name]] as const)
  return Object.fromEntries([...nested, ...top.filter(([, value]) => value !== undefined)])
}

interface Reading {
  readonly output: Output
  readonly reader: keyof typeof clients
  readonly scope: string
  readonly api: string | undefined
  readonly isInOrganization: boolean
}

const listExpected = ({ output, reader, scope, api, isInOrganization }: Reading) => {
  const isAboutApi = output === 'access_token' || output === 'introspection'
  const stated = rows.filter(
    (row) =>
      row.outputs.includes(output) &&
      row.clients.includes(reader) &&
      scope.split(' ').includes(row.scope) &&
      (!isAboutApi || (api !== undefined && row.apis.includes(api))) &&
      (row.source !== 'organization' || isInOrganization),
  )
  return Object.fromEntries(
    stated.map((row) => [row.place === 'top' ? row.name : `attributes.${row.name}`, row.stated]),
  )
}

const names = ['named', 'other', 'stranger'] as const
const combinations = names.flatMap((client) =>
  ['openid', 'openid profile', 'openid profile attributes'].flatMap((scope) =>
    [undefined, films, music].flatMap((api) =>
      [false, true].map((isInOrganization) => ({ client, scope, api, isInOrganization })),
    ),
  ),
)

describe.each(names)('the client %s', (client) => {
  it.each(combinations.filter((one) => one.client === client))(
    'gets what names it for $scope, the API $api and an organization ($isInOrganization)',
    async ({ scope, api, isInOrganization }) => {
      const tokens = await getTokens(service, clients[client], ada.bearer, {
        scope: isInOrganization ? `${scope} organization` : scope,
        resource: api,
        ...(isInOrganization && { organization_id: String(organization) }),
      })
      const expected = (output: Output, reader = client) =>
        listExpected({ output, reader, scope, api, isInOrganization })
      expect(pick(decodeJwt(tokens.id_token))).toEqual(expected('id_token'))
      expect(pick(decodeJwt(tokens.access_token))).toEqual(expected('access_token'))
      for (const reader of names)
        if (reader === client || api !== undefined)
          expect([reader, pick(await introspect(clients[reader], tokens.access_token))]).toEqual([
            reader,
            expected('introspection', reader),
          ])
      if (api === undefined) {
        const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })
        expect(pick(userinfo.body)).toEqual(expected('userinfo'))
      }
    },
  )
})
