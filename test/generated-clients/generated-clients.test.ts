import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { compileClients, type Generator, generateClients, generatorNames } from './generators.ts'
import type { Findings, Given } from './journeys/journey.ts'

/*
 * Clients that others' generators make from the OpenAPI document. The journeys are what a developer writes with them.
 */

/** The compiler checks the journeys with their clients: the program of this repository has no generated files. */
const journeys: Readonly<Record<Generator, string>> = {
  'openapi-fetch': './journeys/openapi-fetch.ts',
  'hey-api': './journeys/hey-api.ts',
  oazapfts: './journeys/oazapfts.ts',
}

const service = await useService()
const admin = await addPerson(service, { username: 'the-admin', permissions: ['system:admin-access'] })
const bearer = (await trySignIn(service, admin)).body.session_key
for (const name of ['Archive', 'Color', 'Editors', 'Sound', 'Writers'])
  await service.client('POST', '/api/2/groups', { bearer, body: { name } })
await generateClients((await service.client('GET', '/api/2/openapi.json')).text)

it('compiles strictly', async () => {
  expect(await compileClients()).toBe('')
})

describe.each(generatorNames)('a client of %s', (name) => {
  let findings: Findings
  beforeAll(async () => {
    const other = await addPerson(service, { full_name: 'As created' })
    const { runJourney }: { runJourney: (given: Given) => Promise<Findings> } = await import(journeys[name])
    findings = await runJourney({
      url: service.url,
      username: admin.user.username,
      password: admin.password,
      otherUser: other.user.id,
    })
  })

  it('signs in, and out', () => {
    expect(findings).toMatchObject({ username: 'the-admin', statusAfterSignOut: 401 })
  })

  it('exchanges a ticket', () => {
    expect(findings.ticketUser).toBe('the-admin')
  })

  it('reads a list page by page', () => {
    expect(findings.pages).toEqual([['Archive', 'Color'], ['Editors', 'Sound'], ['Writers']])
  })

  it('distinguishes errors by code, reason and fields', () => {
    expect(findings).toMatchObject({
      wrongPassword: { code: 'login_failed', reason: 'invalid_credentials' },
      missingUser: 'not_found',
      wrongFields: ['gid', 'username'],
    })
  })

  it('replaces a user with the fields that it read', () => {
    expect(findings.fullNames).toEqual(['As created', 'Renamed by a client'])
  })
})
