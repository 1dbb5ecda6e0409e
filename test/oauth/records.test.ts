import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { authenticateClient, type ClientProof } from '../../lib/features/oauth/authenticate-client.ts'
import {
  type ClientRecord,
  createClientId,
  deleteClientRecord,
  findClient,
} from '../../lib/features/oauth/clients.records.ts'
import {
  createGrantId,
  deleteOAuthGrant,
  findOAuthGrant,
  putOAuthGrant,
} from '../../lib/features/oauth/grants.records.ts'
import type { Config } from '../../lib/kernel/settings/config.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import type { Services } from '../../lib/services.ts'
import { availableEngines } from '../support/available-engines.ts'
import { addStoredClient } from '../support/oidc-clients.ts'
import { tableIn } from '../table/engines.ts'

const context = { address: '192.0.2.7', userAgent: '', requestId: 'x', actor: null, at: Date.now() }
const config = { publicUrl: 'https://auth.example.com' } as Config

describe.each(availableEngines)('on %s', (engine) => {
  let table: Table
  beforeAll(async () => {
    table = await tableIn(engine)
  })

  const addClient = (type: ClientRecord['type'] = 'confidential', limit = 1000) =>
    addStoredClient(table, { type }, limit)

  it('finds a client by its identifier only', async () => {
    const { client } = await addClient()
    expect(await findClient(table, client.clientId)).toMatchObject({ id: client.id, name: client.name })
    const others = [
      createClientId(client.id),
      `${client.clientId}0`,
      `0${client.clientId}`,
      client.clientId.toUpperCase(),
      String(client.id),
      '',
      'constructor',
      `${2 ** 31}-${'0'.repeat(24)}`,
    ]
    for (const other of others) expect(await findClient(table, other)).toBeUndefined()
  })

  it('creates no more clients than the limit, also concurrently', async () => {
    const { client } = await addClient()
    await deleteClientRecord(table, client, [])
    const count = 1 // The client of the first test.
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => addClient('public', count + 3)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it('authenticates a client by the secret in the header or in the form', async () => {
    const { client, secret } = await addClient()
    const { clientId } = client
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const authenticate = (proof: Partial<ClientProof>) =>
      authenticateClient(
        { table, config, now: Date.now } as Services,
        { authorizationHeader: undefined, clientId: undefined, clientSecret: undefined, ...proof },
        context,
      )
    const valid: Partial<ClientProof>[] = [
      { clientId, clientSecret: secret },
      { authorizationHeader: basic(`${clientId}:${secret}`) },
      { authorizationHeader: basic(`${clientId}:${secret}`).replace('Basic', 'bAsIc') },
      // Every character may be percent-encoded.
      { authorizationHeader: basic(`${clientId.replace('-', '%2D')}:${secret.replace('_', '%5F')}`) },
      { authorizationHeader: basic(`${clientId}:${secret}`), clientId },
    ]
    for (const proof of valid) expect((await authenticate(proof))?.id, JSON.stringify(proof)).toBe(client.id)
    const other = (await addClient()).client.clientId
    const invalid: Partial<ClientProof>[] = [
      {},
      { clientId },
      { clientId, clientSecret: '' },
      { clientId, clientSecret: `${secret}x` },
      { clientId: other, clientSecret: secret },
      { clientId, clientSecret: client.secrets[0]?.hash ?? '' },
      { authorizationHeader: basic(`${clientId}:${secret}`), clientSecret: secret },
      { authorizationHeader: basic(`${clientId}:${secret}`), clientId: other },
      { authorizationHeader: basic(`${clientId}:%`) },
      { authorizationHeader: basic(`${clientId}:`) },
      { authorizationHeader: basic(clientId) },
      { authorizationHeader: 'Basic' },
      { authorizationHeader: `Bearer ${secret}`, clientId },
    ]
    for (const proof of invalid) expect(await authenticate(proof), JSON.stringify(proof)).toBeUndefined()
  })

  it('identifies a public client without a secret', async () => {
    const { client, secret } = await addClient('public')
    const proof = { authorizationHeader: undefined, clientId: client.clientId }
    const authenticate = (clientSecret: string | undefined) =>
      authenticateClient({ table, config, now: Date.now } as Services, { ...proof, clientSecret }, context)
    expect((await authenticate(undefined))?.id).toBe(client.id)
    expect((await authenticate(''))?.id).toBe(client.id)
    expect(await authenticate(secret)).toBeUndefined()
  })

  it('finds a grant until it is deleted or expires', async () => {
    const grant = {
      id: createGrantId(),
      clientId: createClientId(1),
      userId: 7,
      session: { userId: 7, hash: randomBytes(32).toString('base64url') },
      sid: 'sid',
      scopes: ['openid'],
      origin: 'browser' as const,
      ends: 0,
      createdAt: 1000,
      expiresAt: 2000,
    }
    expect(grant.id).not.toContain('.')
    await putOAuthGrant(table, grant)
    expect(await findOAuthGrant(table, grant.id, 1999)).toMatchObject(grant)
    expect(await findOAuthGrant(table, grant.id, 2000)).toBeUndefined()
    const results = await Promise.all([deleteOAuthGrant(table, grant.id), deleteOAuthGrant(table, grant.id)])
    expect(results.sort()).toEqual([false, true])
    expect(await findOAuthGrant(table, grant.id, 1000)).toBeUndefined()
  })
})
