import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { holdings } from '../../lib/features/leaked-credentials/holdings.records.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { JsonValue } from '../support/client.ts'
import { requireSuccess } from '../support/holdings.ts'
import { addLink, lookUp } from '../support/links.ts'
import { addRelyingParty, exchangeCode, getCode, proveClient, refresh } from '../support/oidc.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { addDirectory, schemas, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

/*
 * People leave a directory of the whole service, while it changes others. The first request that begins after the answer is refused at each
 * kind of access that asks the service. `SCIM_LEAVERS=2000 npx vitest run --project source-attacks test/attacks/scim-leavers.test.ts` tries
 * as many leavers.
 */

const { SCIM_LEAVERS = '12' } = process.env
const leavers = Number(SCIM_LEAVERS)
const atOnce = 8
const audience = 'https://films.example'
const service = await useService(
  {
    JWT_AUDIENCES: audience,
    RATE_LIMITS: 'scimRequests=1000000/10,lookUpFailures=1000000/60,linkGuesses=1000000/60',
  },
  { sendsMail: false },
)
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const connectionId = await storeConnection(service)
const directory = await addDirectory(service, connectionId, {}, admin)
const party = await addRelyingParty(service, { audiences: [audience] })
const authorize = createAuthorizer({ ...process.env, AUTHORIZER_AUDIENCES: audience })

/** An access, and whether the service still gives it. */
type Access = readonly [name: string, works: () => Promise<boolean>]

const listAccess = async (person: SignedInPerson): Promise<readonly Access[]> => {
  const { bearer } = person
  const call = callAs(service, person)
  const { token } = requireSuccess(await call('POST', 'api-tokens', { name: 'sync' })).body
  const link = await addLink(service, bearer)
  const redeemed = requireSuccess(
    await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token: link.token } }),
  ).body.session_key
  const code = { scope: 'openid offline_access', resource: audience }
  const tokens = (
    await exchangeCode(service, party, await getCode(service, party, bearer, code), { resource: audience })
  ).body
  const jwt = requireSuccess(await call('POST', 'auth/jwt', { audience })).body.token
  const { ticket } = requireSuccess(await call('POST', 'auth/ticket', {})).body
  const isMe = async (value: string) =>
    (await service.client('GET', '/api/2/users/me', { bearer: value })).status === 200
  const introspect = async (): Promise<JsonValue> =>
    (
      await service.client('POST', '/oauth2/introspect', {
        raw: String(new URLSearchParams({ token: tokens.access_token, ...proveClient(party) })),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).body.active
  const isAuthorized = async (value: string): Promise<boolean> =>
    ((await authorize(httpEvent(value))) as JsonValue).isAuthorized
  return [
    ['session', () => isMe(bearer)],
    ['API token', () => isMe(token)],
    [
      'session of a link',
      async () => (await service.client('GET', '/api/2/users/me', { bearer: redeemed })).status !== 401,
    ],
    ['access link', async () => (await lookUp(service, link.token)).status === 200],
    ['introspection', introspect],
    ['authorizer with a session', () => isAuthorized(bearer)],
    ['authorizer with a JWT', () => isAuthorized(jwt)],
    ['refresh token', async () => (await refresh(service, party, tokens.refresh_token)).status === 200],
    [
      'ticket',
      async () =>
        (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status === 200,
    ],
    ['new JWT', async () => (await call('POST', 'auth/jwt', { audience })).status === 200],
    [
      'new code',
      async () =>
        getCode(service, party, bearer, { scope: 'openid' }).then(
          () => true,
          () => false,
        ),
    ],
  ]
}

const addLeaver = async () => {
  const person = await addSignedIn(service, { permissions: ['media:access'] })
  const name = `${randomUUID()}@directory.example`
  await table.transact(
    buildCompanyAccountSteps(
      { providerId: connectionId, nameId: name, qualifiers: [] },
      { userId: person.user.id, groups: [], linkedAt: Date.now(), shownName: name, deletedUserId: undefined },
    ),
  )
  const { id } = requireSuccess(await directory.addUser({ userName: name })).body
  return { id: id as string, userName: name, access: await listAccess(person) }
}

it('who leaves is refused at the first request that begins after the answer', async () => {
  // The registry says what everything of a person is. Tokens of their organizations belong to others too.
  expect(holdings.organization_token.ends.everything).toBe('stays')
  const exceptions: string[] = []
  const times: number[] = []
  const bystander = await addLeaver()
  const changeOthers = (round: number) => [
    directory.patch(bystander.id, { displayName: `round ${round}` }),
    directory.addUser({ userName: randomUUID() }),
    directory.call('POST', '/Groups', {
      schemas: [schemas.group],
      displayName: randomUUID(),
      members: [{ value: bystander.id }],
    }),
  ]
  const leave = async ({ id, userName, access }: Awaited<ReturnType<typeof addLeaver>>, at: number) => {
    const way = at % 3
    const path = `/Users/${id}`
    const send = () =>
      way === 0
        ? directory.patch(id, { active: false })
        : way === 1
          ? directory.call('PUT', path, { schemas: [schemas.user], userName, active: 'False' })
          : directory.call('DELETE', path)
    const started = performance.now()
    requireSuccess(await send())
    times.push(performance.now() - started)
    const outcomes = await Promise.all(
      access.map(async ([name, works]) => ((await works()) ? [`${at}: ${name}`] : [])),
    )
    exceptions.push(...outcomes.flat())
  }
  for (let done = 0; done < leavers; done += atOnce) {
    const people = await Promise.all(Array.from({ length: Math.min(atOnce, leavers - done) }, addLeaver))
    await Promise.all([...people.map((person, at) => leave(person, done + at)), ...changeOthers(done)])
  }
  expect(exceptions).toEqual([])
  expect(times).toHaveLength(leavers)
  // Each access would have worked. A ticket of the start has expired after many leavers.
  for (const [name, works] of (await addLeaver()).access) expect(await works(), name).toBe(true)
  expect(await bystander.access[0]?.[1]()).toBe(true)
  const sorted = times.toSorted((a, b) => a - b)
  const shown = [0.5, 0.99].map((part) => `${Math.round(sorted[Math.floor(leavers * part)] ?? 0)} ms`)
  if (leavers > 100) process.stdout.write(`${leavers} leavers: answer after ${shown.join(', at 99 % ')}\n`)
}, 7_200_000)
