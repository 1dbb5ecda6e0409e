import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { rateLimitNames } from '../../lib/kernel/limits/rate-limits.ts'
import { clientFrom } from '../support/addressed-client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listExamples, listParameterExamples } from '../support/example-requests.ts'
import { makeIdp } from '../support/idp.ts'
import { addConnection, startUpstream } from '../support/oidc-upstream.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * Strangers must not fill the audit log, in which real attacks would drown: each of their operations leaves a limited number of
 * events, and then answers 429.
 */

const most = 10
const sent = 300
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: rateLimitNames.map((name) => `${name}=${most}/3600`).join(', '),
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const upstream = closeAfterTests(await startUpstream())
const oidc = await addConnection(service, admin.bearer, upstream.issuer)
const saml = await addProvider(service, await makeIdp())

const anonymous = operations.filter(({ access }) => access.allow === 'anyone')
const fill = ({ path, ...op }: Operation): string => {
  const examples = listParameterExamples({ path, ...op })
  const connection = path.includes('/oidc-connections/') ? oidc.id : saml.id
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(name === 'id' ? connection : (examples[name] ?? 'x'.repeat(32))),
  )
}

/** A well-formed request with credentials that were never given. */
const buildRequest = (op: Operation) => {
  const body = listExamples(op)[0]?.value ?? (op.body ? {} : undefined)
  if (op.bodyType !== 'form') return body === undefined ? {} : { body }
  const form = new URLSearchParams(
    Object.entries(body as object).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return { raw: String(form), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

const queryOf = (op: Operation): string => {
  const names = ['state', 'code', 'token', 'SAMLResponse', 'client_id'].filter(
    (name) => op.query && Object.hasOwn(listShape(op.query), name),
  )
  return names.length === 0
    ? ''
    : `?${new URLSearchParams(names.map((name): [string, string] => [name, 'x']))}`
}
const listShape = (schema: NonNullable<Operation['query']>): object =>
  'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null ? schema.shape : {}

describe('garbage of strangers', () => {
  it.each(
    anonymous.map(
      (op, index) => [op.id, op, `127.${10 + Math.floor(index / 200)}.${(index % 200) + 1}.1`] as const,
    ),
  )('leaves few events at %s, and then 429', async (_, op, address) => {
    const client = clientFrom(address, service.url)
    const target = fill(op) + queryOf(op)
    const request = buildRequest(op)
    const statuses: number[] = []
    for (let at = 0; at < sent; at++) {
      const { status } = await client(op.method, target, request)
      statuses.push(status)
      // An answer that costs no event and is not limited stays the same.
      if (at === 2 * most && (await countEvents(address)) === 0) break
      if (status === 429 && at > 3 * most) break
    }
    expect(statuses.filter((status) => status >= 500 && status !== 502)).toEqual([])
    const events = await countEvents(address)
    expect(events).toBeLessThanOrEqual(most + 2)
    if (events > 0) expect(statuses.at(-1)).toBe(429)
  })

  it('leaves one event for each kind of refused answer of a provider, which says how many there were', async () => {
    const client = clientFrom('127.99.1.1', service.url)
    for (let at = 0; at < most; at++)
      expect((await client('GET', `/api/2/auth/oidc-connections/${oidc.id}/callback?state=x`)).status).toBe(
        401,
      )
    expect(await countEvents('127.99.1.1')).toBe(1)
    expect((await client('GET', `/api/2/auth/oidc-connections/${oidc.id}/callback?state=x`)).status).toBe(429)
  })
})

const countEvents = async (address: string): Promise<number> => {
  const query = new URLSearchParams({ limit: '1000' })
  const { body } = await service.client('GET', `/api/2/auth/audit-events?${query}`, { bearer: admin.bearer })
  return body.filter(({ ip }: { ip: string | null }) => ip === address).length
}
