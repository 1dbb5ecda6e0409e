import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { connections } from '../../lib/features/connections/operations.ts'
import { getRouteKey } from '../../lib/kernel/contract/operation.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { createServices } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { makeCertificate } from '../support/certificates.ts'
import { type Client, clientOf } from '../support/client.ts'
import { type MetadataServer, startMetadataServer } from '../support/metadata-server.ts'
import { plainMetadata, signMetadata } from '../support/saml-metadata.ts'
import { type RunningFunction, startFunction } from './lambda.ts'
import { findInputs, shareBundles } from './shared-bundles.ts'

/*
 * Tests code of the deployed bundle that is loaded only to read and verify metadata. The metadata comes from a loopback
 * address, which the deployed service would reject.
 */

const keyDir = mkdtempSync(join(tmpdir(), 'latchkey-saml-'))
let running: RunningFunction
let gateway: Awaited<ReturnType<typeof startGateway>>
let server: MetadataServer
let client: Client
let bearer: string

beforeAll(async () => {
  const { folder, bundles } = await shareBundles()
  const bundle = bundles.find(({ name }) => name === 'connections')
  // A cold start loads no code to read XML, create certificates or fetch metadata.
  const atStart = Object.values(bundle?.metafile.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs))
  expect(
    findInputs(
      atStart,
      /xmldom|xml-crypto|xpath|peculiar|ipaddr|lib\/features\/connections\/saml\/xml\/(?!xml-error)/,
    ),
  ).toEqual([])

  const environment = {
    TABLE_NAME: `latchkey-${randomUUID()}`,
    PUBLIC_URL: 'http://127.0.0.1',
    ALLOW_PRIVATE_METADATA: 'true',
    LOCAL_KEY_FILE: join(keyDir, 'vault.key'),
    DYNAMODB_ENDPOINT: process.env['DYNAMODB_ENDPOINT'] ?? '',
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }
  await createTable(environment.DYNAMODB_ENDPOINT, environment.TABLE_NAME)
  const { table } = createServices(environment)
  const now = Date.now()
  const user = await createUser(
    table,
    buildUser({ username: 'admin', permissions: ['system:admin-access'] }),
    now,
  )
  const { value, hash } = mintCredential('session', user.id)
  bearer = value
  await createSession(table, {
    hash,
    id: 1,
    userId: user.id,
    credentialEpoch: user.credentialEpoch,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + 60_000,
    address: '127.0.0.1',
    userAgent: '',
    authentication: { at: now, methods: ['pwd'] },
  })
  running = await startFunction(join(folder, 'connections'), environment)
  gateway = await startGateway({
    port: 0,
    routes: Object.values(connections).map((operation) => ({
      routeKey: getRouteKey(operation),
      target: operation.group,
    })),
    invoke: (_, event) => running.invoke(event),
  })
  client = clientOf(gateway.url)
  server = await startMetadataServer()
})
afterAll(async () => {
  await gateway?.close()
  await running?.stop()
  await server?.close()
  rmSync(keyDir, { recursive: true })
})

it('creates keys, reads metadata and verifies its signature in the deployed bundle', async () => {
  const idp = await makeCertificate({ name: 'idp' })
  const metadata = plainMetadata({ certificates: [idp] })
  server.serve(metadata)
  const path = '/api/2/auth/saml'
  const parsed = await client('POST', `${path}/parse-idp-metadata`, { bearer, body: { url: server.url } })
  expect(parsed.status, parsed.text + running.log()).toBe(200)
  const made = await client('POST', path, { bearer, body: parsed.body })
  expect(made.status, made.text + running.log()).toBe(201)
  const refresh = () =>
    client('POST', `${path}/${made.body.id}/refresh-idp-metadata`, { bearer, body: { url: server.url } })
  server.serve(signMetadata(metadata, idp))
  expect((await refresh()).status).toBe(200)
  server.serve(signMetadata(metadata, await makeCertificate()))
  expect((await refresh()).body.errors[0].message).toContain('none of the certificates')
})
