import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import type { AuthorizerEvent } from '../lib/features/authorizers/read-event.ts'
import { partitions } from '../lib/kernel/table/keys/partitions.ts'
import { day, hour, minute } from '../lib/kernel/util/time.ts'
import type { TableCall } from '../test/infra/dynamodb-proxy.ts'
import { clientFrom } from '../test/support/addressed-client.ts'
import { httpEvent } from '../test/support/authorizer-events.ts'
import type { Answer, Client, JsonValue } from '../test/support/client.ts'
import { bundle, linksPath } from '../test/support/links.ts'
import { addRelyingParty, getTokens, proveClient, refresh } from '../test/support/oidc.ts'
import { addPerson, addSignedIn, type Person } from '../test/support/people.ts'
import type { TestService } from '../test/support/service.ts'
import type { costMeter } from './cost-meter.ts'
import type { FlowName, KeyUnits, RecordedFlow } from './recorded-costs.ts'

/*
 * Measures what people and products do most often, with the units of the busiest key of each kind. The page about scale divides
 * limits of AWS by them.
 */

export type KeyMeter = ReturnType<typeof keyMeter>

export type Flows = Readonly<Record<FlowName, RecordedFlow>>

/**
 * Measures all flows with a service whose table calls both meters count. The clock of the process is a mock, which this moves to
 * the next noon, so that nothing depends on the hour.
 */
export const measureFlows = async (
  service: TestService,
  { units, keys }: { readonly units: ReturnType<typeof costMeter>; readonly keys: KeyMeter },
): Promise<Flows> => {
  mock.timers.setTime((Math.floor(Date.now() / day) + 1.5) * day)
  const flows = new Map<FlowName, RecordedFlow>()
  const measure: Measure = async (name, work) => {
    units.take()
    keys.take()
    const result = await work()
    const { calls, readUnits, writeUnits } = units.take()
    flows.set(name, { calls, readUnits, writeUnits, keys: keys.take() })
    return result
  }
  await measureSignIns(service, measure)
  await measureVisits(service, measure)
  await measureCredentials(service, measure)
  await measureClients(service, measure)
  await measureAuthorizer(service, measure)
  await measureOrganizations(service, measure)
  return Object.fromEntries(flows) as Flows
}

type Measure = <Result>(name: FlowName, work: () => Promise<Result>) => Promise<Result>

/** @throws Error with the answer, unless it is a success */
const succeed = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

const pass = (ms: number): void => mock.timers.setTime(Date.now() + ms)

const measureSignIns = async (service: TestService, measure: Measure): Promise<void> => {
  const login = async (client: Client, { user, password }: Person) =>
    succeed(await client('POST', '/api/2/auth/login', { body: { username: user.username, password } }))
  const [home, hotel] = ['127.0.1.1', '127.0.2.1'].map((address) =>
    clientFrom(address, service.url.replace('localhost', '127.0.0.1')),
  )
  if (!home || !hotel) return
  const person = await addPerson(service)
  await measure('signInFromNewNetwork', () => login(home, person))
  // A network is known for longer than its count, and the person was not seen for a while.
  pass(2 * hour)
  await measure('signInFromKnownNetwork', () => login(home, person))
  pass(2 * hour)
  const reachable = await addPerson(service, { email: `${randomUUID()}@example.com` })
  await login(home, reachable)
  pass(2 * hour)
  await measure('signInWithNotice', () => login(hotel, reachable))
}

const measureVisits = async (service: TestService, measure: Measure): Promise<void> => {
  const { bearer } = await addSignedIn(service)
  const visit = async () => succeed(await service.client('GET', '/api/2/users/me', { bearer }))
  await visit()
  await measure('visit', visit)
  pass(12 * hour)
  await measure('firstVisitOfDay', visit)
}

const measureCredentials = async (service: TestService, measure: Measure): Promise<void> => {
  const { client } = service
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  succeed(await client('GET', '/api/2/users/me', { bearer }))
  await measure('ticket', async () => {
    const { body } = succeed(await client('POST', '/api/2/auth/ticket', { bearer, body: {} }))
    succeed(await client('POST', '/api/2/auth/ticket/check', { body }))
  })
  const shared = { bundles: [bundle()], email: `${randomUUID()}@example.com` }
  const { token } = succeed(await client('POST', linksPath, { bearer, body: shared })).body
  const redeem = async () => succeed(await client('POST', `${linksPath}/redeem`, { body: { token } }))
  await redeem()
  pass(minute)
  await measure('linkRedemption', redeem)
}

const measureClients = async (service: TestService, measure: Measure): Promise<void> => {
  const party = await addRelyingParty(service)
  const { bearer } = await addSignedIn(service)
  succeed(await service.client('GET', '/api/2/users/me', { bearer }))
  // The first tokens of a session at a client mark the session and its user.
  await getTokens(service, party, bearer)
  const tokens: JsonValue = await measure('signInAtClient', () => getTokens(service, party, bearer))
  await measure('userinfo', async () =>
    succeed(await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })),
  )
  const { raw, headers } = {
    raw: String(new URLSearchParams({ token: tokens.access_token, ...proveClient(party) })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  const introspect = async () => {
    const answer = succeed(await service.client('POST', '/oauth2/introspect', { raw, headers }))
    if (answer.body.active !== true) throw new Error(answer.text)
  }
  // The first use of a secret on a day is noted.
  await introspect()
  await measure('introspection', introspect)
  await measure('refresh', async () => {
    const { status } = await refresh(service, party, tokens.refresh_token)
    if (status !== 200) throw new Error(`refresh: ${status}`)
  })
}

const measureAuthorizer = async (service: TestService, measure: Measure): Promise<void> => {
  const { createAuthorizer } = await import('../lib/features/authorizers/create-authorizer.part.ts')
  const authorize = createAuthorizer(process.env)
  const { bearer } = await addSignedIn(service)
  const ask = async () => {
    const event: AuthorizerEvent = httpEvent(bearer)
    const answer: JsonValue = await authorize(event)
    if (answer.isAuthorized !== true) throw new Error('The authorizer refused a session.')
  }
  await ask()
  await measure('authorizer', ask)
}

/** What the service declares for all organizations: a usual number of roles, and as many as the largest products have. */
const roleSizes = {
  usual: { roles: 8, permissions: 10 },
  many: { roles: 40, permissions: 40 },
} as const

const measureOrganizations = async (service: TestService, measure: Measure): Promise<void> => {
  const { createAuthorizer } = await import('../lib/features/authorizers/create-authorizer.part.ts')
  const authorize = createAuthorizer({
    ...process.env,
    AUTHORIZER_ORGANIZATION: 'required',
    AUTHORIZER_ORGANIZATION_TOKENS: 'true',
  })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = async (method: string, path: string, body: JsonValue) =>
    succeed(await service.client(method, path, { bearer: admin.bearer, body })).body
  const declare = ({ roles, permissions }: { readonly roles: number; readonly permissions: number }) =>
    call('PUT', '/api/2/organization-roles', {
      roles: Array.from({ length: roles }, (_, role) => ({
        key: `role-${role}`,
        texts: { en: `Role ${role}`, de: `Rolle ${role}` },
        permissions: Array.from({ length: permissions }, (_own, at) => `films:manage-section-${at}`),
      })),
    })
  const { id } = await call('POST', '/api/2/organizations', { name: 'Acme', slug: 'measured-acme' })
  await declare(roleSizes.usual)
  const members = `/api/2/organizations/${id}/members`
  const [member, owner] = [await addSignedIn(service), await addSignedIn(service)]
  await call('POST', members, { user: owner.user.id, roles: ['owner'] })
  await call('POST', members, { user: member.user.id, roles: ['role-1'] })
  const headers = { 'latchkey-organization': String(id) }
  const visit = async () => {
    const { bearer } = member
    const { body } = succeed(await service.client('GET', '/api/2/users/me', { bearer, headers }))
    if (body.organization?.id !== id) throw new Error('The member is not in the organization.')
  }
  const ask = async (bearer: string) => {
    const lines = [['Authorization', `Bearer ${bearer}`], ...Object.entries(headers)] as const
    const answer: JsonValue = await authorize(httpEvent(undefined, { headers: lines }))
    if (answer.isAuthorized !== true) throw new Error('The authorizer refused a member.')
  }
  await visit()
  await measure('visitInOrganization', visit)
  await measure('authorizerInOrganization', () => ask(member.bearer))
  const made = await service.client('POST', `/api/2/organizations/${id}/api-tokens`, {
    bearer: owner.bearer,
    body: { name: 'Sync', permissions: ['org:members:view'] },
  })
  const { token } = succeed(made).body
  // The first use of a token on a day is noted.
  await ask(token)
  await measure('organizationToken', () => ask(token))
  await declare(roleSizes.many)
  await measure('visitWithManyRoles', visit)
  await measure('authorizerWithManyRoles', () => ask(member.bearer))
}

/** Units of one partition key. Written items are up to 1 KB. A transaction writes twice. */
export const keyMeter = () => {
  let units = new Map<string, KeyUnits>()
  let spread = 0
  const add = (key: string, more: KeyUnits) => {
    // Each audit event goes to a partition at random, and each request reads rights from one at random. So two of them are two keys.
    const pk = randomPartitions.some((prefix) => key.startsWith(prefix)) ? `${key}#${spread++}` : key
    const { reads, writes } = units.get(pk) ?? { reads: 0, writes: 0 }
    units.set(pk, { reads: reads + more.reads, writes: writes + more.writes })
  }
  return {
    /** Counts a call. The returned function counts what it read by the size of the items. */
    count: ({ action, input }: TableCall): ((output: JsonValue) => void) => {
      for (const pk of listWrittenKeys(action, input))
        add(pk, { reads: 0, writes: action === 'TransactWriteItems' ? 2 : 1 })
      return (output) => {
        const items = listReadItems(action, output)
        for (const pk of listReadKeys(action, input)) {
          const bytes = items.filter((item) => item.pk.S === pk).map(sizeOf)
          add(pk, { reads: Math.max(1, ...bytes.map((size) => Math.ceil(size / 4096))), writes: 0 })
        }
      }
    },
    /** The busiest key of each kind since the last call of this function. */
    take: (): Readonly<Record<string, KeyUnits>> => {
      const busiest = new Map<string, KeyUnits>()
      for (const [pk, { reads, writes }] of units) {
        const kind = kindOf(pk)
        const known = busiest.get(kind) ?? { reads: 0, writes: 0 }
        busiest.set(kind, { reads: Math.max(reads, known.reads), writes: Math.max(writes, known.writes) })
      }
      units = new Map()
      return Object.fromEntries([...busiest].sort(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}

const randomPartitions = [partitions.audit, partitions.organizationRights]

/** The kind of a partition key. Each of the settings is a kind. */
const kindOf = (pk: string): string => (pk.startsWith(partitions.settings) ? pk : (pk.split('#')[0] ?? ''))

/** The items of an answer that name their keys. A query is counted as one unit. */
const listReadItems = (action: string, output: JsonValue): readonly JsonValue[] => {
  if (action === 'GetItem') return output.Item ? [output.Item] : []
  return action === 'BatchGetItem' ? Object.values<JsonValue[]>(output.Responses ?? {}).flat() : []
}

/** About the bytes of an item as DynamoDB counts them: names and values, and up to 3 for a list or map and 1 for each of its parts. */
const sizeOf = (attributes: JsonValue): number =>
  Object.entries<JsonValue>(attributes).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0)

const bytesOf = ({ S, N, L, M }: JsonValue): number => {
  if (S !== undefined) return Buffer.byteLength(S)
  if (N !== undefined) return Math.ceil(N.length / 2) + 1
  if (L !== undefined) return L.reduce((sum: number, one: JsonValue) => sum + 1 + bytesOf(one), 3)
  return M === undefined ? 1 : 3 + Object.keys(M).length + sizeOf(M)
}

const listReadKeys = (action: string, input: JsonValue): readonly string[] => {
  if (action === 'GetItem') return [input.Key.pk.S]
  if (action === 'BatchGetItem')
    return Object.values<JsonValue>(input.RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ pk }: JsonValue) => pk.S),
    )
  if (action !== 'Query') return []
  const [, value = ''] = /^\S+ = (\S+)/.exec(input.KeyConditionExpression) ?? []
  return [input.ExpressionAttributeValues[value].S]
}

const listWrittenKeys = (action: string, input: JsonValue): readonly string[] => {
  if (action === 'PutItem') return [input.Item.pk.S]
  if (action === 'UpdateItem' || action === 'DeleteItem') return [input.Key.pk.S]
  if (action !== 'TransactWriteItems') return []
  return input.TransactItems.flatMap((step: JsonValue) =>
    Object.values<JsonValue>(step).map(({ Item, Key }) => (Item ?? Key).pk.S),
  )
}
