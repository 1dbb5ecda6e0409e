import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Key } from '../../lib/store/engine/keys.ts'
import { samlFlowPartitions, samlSessionsPartitions } from '../../lib/store/engine/saml-keys.ts'
import { queryOf } from '../support/idp/redirect.ts'
import { makeIdp } from '../support/idp.ts'
import { addProvider, signInBySaml, startSignIn, type TestProvider, userOfSession } from '../support/saml.ts'
import { sendLogoutRequest } from '../support/saml-sign-out.ts'
import { startService, type TestService } from '../support/service.ts'

/* Earlier versions stored the sign-ins and sessions of a provider in one partition of each kind. */

let service: TestService
let provider: TestProvider
beforeAll(async () => {
  service = await startService({ PUBLIC_URL: 'https://auth.example.com' })
  provider = await addProvider(service, await makeIdp())
})
afterAll(() => service.close())

/** Moves all items of some partitions with this prefix to the partition of earlier versions. Returns their keys. */
const moveTo = async (pk: string, partitions: readonly string[], prefix: string): Promise<readonly Key[]> => {
  const { table } = service.services
  const moved: Key[] = []
  for (const from of partitions.filter((name) => name !== pk))
    for (const item of await table.list(from, prefix)) {
      await table.transact([{ delete: { pk: from, sk: item.sk } }, { put: { ...item, pk } }])
      moved.push({ pk, sk: item.sk })
    }
  return moved
}
const moveFlows = () => moveTo(`saml-provider#${provider.id}`, samlFlowPartitions(provider.id), 'flow#')

describe('a sign-in that started before an update', () => {
  it('completes after it, once', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target)
    expect(await moveFlows()).toHaveLength(1)
    const answer = await browser.post(provider.assertionUrl, form)
    expect(answer.status).toBe(303)
    expect((await browser.post(provider.assertionUrl, form)).status).toBe(401)
    // The assertion and where the browser returns to.
    expect(await moveFlows()).toHaveLength(2)
    const back = await browser.get(answer.headers.get('location') ?? '')
    expect([back.status, back.headers.get('location')]).toEqual([303, 'https://auth.example.com/'])
  })

  it('signs out at the provider after it', async () => {
    const { browser } = await signInBySaml(service, provider)
    const start = await browser.get(provider.logoutUrl, 'same-origin')
    const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
    await moveFlows()
    const query = queryOf(provider.idp.logoutResponse(provider.logoutReturnUrl, request.id))
    const finish = () => browser.get(`${provider.logoutReturnUrl}?${query}`)
    expect([(await finish()).status, (await finish()).status]).toEqual([303, 400])
  })
})

describe('a session from before an update', () => {
  const seedEarlier = async (other: TestProvider, nameId: string): Promise<string> => {
    const { session } = await signInBySaml(service, other, { nameId })
    const pk = `saml-sessions#${other.id}`
    await moveTo(pk, samlSessionsPartitions(other.id), 'session#')
    const { table } = service.services
    for (const { userId, hash } of (await table.list(pk, 'session#')).map((item) => ({
      userId: Number(item['userId']),
      hash: String(item['hash']),
    })))
      await table.update({ pk: `user#${userId}`, sk: `session#${hash}` }, (x) => ({
        remove: [x.path('hasSpreadMarker')],
      }))
    return session
  }

  it('removes its marker when it ends', async () => {
    const session = await seedEarlier(provider, randomUUID())
    const pk = `saml-sessions#${provider.id}`
    const before = await service.services.table.list(pk, 'session#')
    expect((await service.client('POST', '/api/2/auth/logout', { bearer: session })).status).toBe(204)
    expect(await service.services.table.list(pk, 'session#')).toHaveLength(before.length - 1)
  })

  it('ends with a sign-out at its provider', async () => {
    const nameId = randomUUID()
    const sessions = [
      await seedEarlier(provider, nameId),
      (await signInBySaml(service, provider, { nameId })).session,
    ]
    expect((await sendLogoutRequest(service, provider, { nameId })).status).toBe(303)
    for (const session of sessions) expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('ends with its provider', async () => {
    const other = await addProvider(service, await makeIdp())
    const sessions = [await seedEarlier(other, randomUUID()), (await signInBySaml(service, other)).session]
    const answer = await service.client('DELETE', `/api/2/auth/saml/${other.id}`, { bearer: other.admin })
    expect(answer.status).toBe(204)
    for (const session of sessions) expect(await userOfSession(service, session)).toBeUndefined()
  })
})
