import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { sendEveryOperation } from '../../bench/every-operation.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { minute } from '../../lib/kernel/util/time.ts'
import { addRelyingParty, getTokens, refresh } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import type { TwoWriters } from './two-writers.ts'

/** Rate limits count in slices that are a multiple of this, and none may end within a run. */
const sliceMs = 10_000
/** The time between two requests. */
const stepMs = 20

/** Sets the clock, so that each run sends the same conditions. */
export const startClock = (): void =>
  mock.timers.enable({ apis: ['Date'], now: Math.floor(Date.now() / sliceMs) * sliceMs })

/** Runs each operation, and what no operation does. */
export const runEveryUseCase = async (service: TestService, { run }: TwoWriters): Promise<void> => {
  await sendEveryOperation(service, (id, work) => {
    mock.timers.setTime(Date.now() + stepMs)
    return run(id, work)
  })
  await switchOrganization(service, run)
  await addClaim(service, run)
  // A chain takes the events of minutes that are over.
  mock.timers.setTime(Date.now() + 15 * minute)
  await run('audit-chain', async () => {
    await maintainChains(service.services, service.services.log)
    return { status: 204 }
  })
}

/** An administrator adds a claim, which changes the client that it names. */
const addClaim = async (service: TestService, run: TwoWriters['run']): Promise<void> => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { client } = await addRelyingParty(service, { name: randomUUID() })
  const { body } = await service.client('GET', '/api/2/system/user-attributes', { bearer })
  const claim = {
    ...{ name: 'region', source: 'text', value: 'eu', outputs: ['id_token'] },
    clients: [client.clientId],
  }
  const attributes = { attributes: body.attributes, claims: [claim] }
  await run('update_user_attributes, with a claim', () =>
    service.client('PUT', '/api/2/system/user-attributes', { bearer, body: attributes }),
  )
}

/** A client asks for the tokens of another organization. */
const switchOrganization = async (service: TestService, run: TwoWriters['run']): Promise<void> => {
  const manager = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const person = await addSignedIn(service)
  const addOrganization = async (slug: string): Promise<string> => {
    const { bearer } = manager
    const organization = { name: slug, slug }
    const { body } = await service.client('POST', '/api/2/organizations', { bearer, body: organization })
    const member = { user: person.user.id, roles: ['member'] }
    await service.client('POST', `/api/2/organizations/${body.id}/members`, { bearer, body: member })
    return String(body.id)
  }
  const [first, second] = [await addOrganization('first-one'), await addOrganization('second-one')]
  const scopes = ['openid', 'organization', 'offline_access'] as const
  const party = await addRelyingParty(service, { scopes, name: randomUUID() })
  const tokens = await getTokens(service, party, person.bearer, {
    scope: scopes.join(' '),
    organization: first,
  })
  await run('issue_tokens, for another organization', () =>
    refresh(service, party, tokens.refresh_token, { organization: second }),
  )
}
