import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addSignedIn } from '../support/people.ts'
import { startService } from '../support/service.ts'
import { findResponseProblems } from './check-response.ts'
import type { World } from './row.ts'
import { rows } from './rows.ts'
import { type Case, casesOf } from './trials.ts'

let world: World
beforeAll(async () => {
  const service = await startService({ ALLOW_PRIVATE_METADATA: 'true' })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const metadata = await startMetadataServer()
  world = { service, admin, metadata, certificate: await makeCertificate() }
})
afterAll(async () => {
  await world.service.close()
  await world.metadata.close()
})

const cases = rows.flatMap(casesOf).map((one): [string, Case] => [one.title, one])

describe('the published clients', () => {
  it.each(cases)('%s', async (_, { row, prepare, send, verify }) => {
    const { returns, status = returns === null ? 204 : 200 } = row
    const call = await prepare(world)
    const { status: answered, text, body, problems } = await send(world.service.url, call)
    expect({ answered, text: answered === status ? '' : text }).toEqual({ answered: status, text: '' })
    if (returns !== 'ignored') expect(findResponseProblems(returns, body, row.added)).toEqual([])
    expect(problems).toEqual([])
    await verify({ world, call, body })
  })
})
