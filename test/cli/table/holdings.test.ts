import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Cause,
  findHoldingRecord,
  holdings,
  otherPartitions,
} from '../../../lib/features/leaked-credentials/holdings.records.ts'
import { partitions } from '../../../lib/kernel/table/keys/partitions.ts'
import { openTable } from '../../../lib/kernel/table/open-table.ts'
import type { Item } from '../../../lib/kernel/table/transaction.ts'
import type { CredentialKind } from '../../../lib/kernel/util/credential-prefixes.ts'
import { createTable } from '../../../local/dynamodb.ts'
import {
  credentialKinds,
  type Held,
  holdingLimits,
  requireSuccess,
  startHoldings,
} from '../../support/holdings.ts'
import { addSignedIn, type SignedInPerson } from '../../support/people.ts'
import { readItems, restoreItems } from '../../support/table-copies.ts'
import { useService } from '../../support/use-service.ts'
import { type CommandResult, environmentOf, makeFolder, runTable } from '../command.ts'

/* Each kind of credential, memberships and states go through the runbooks about a leaked and a restored table. */

const service = await useService(holdingLimits)
const { addOwner, makers, staff, signInAgain } = await startHoldings(service)
const folder = makeFolder()
afterAll(() => folder.remove())

const addTo = async (organizationId: number, role: string): Promise<SignedInPerson> => {
  const person = await addSignedIn(service)
  const body = { user: person.user.id, roles: [role] }
  requireSuccess(await staff('POST', `organizations/${organizationId}/members`, body))
  return person
}

describe('the table', () => {
  const everybody = new Map<CredentialKind, readonly [kept: Held, ended: Held]>()
  const members: { organizationId: number; removed: SignedInPerson; demoted: SignedInPerson }[] = []
  let backup: readonly Item[] = []
  let latest: readonly Item[] = []
  const replaced = `latchkey-${randomUUID()}`

  const endCredentials = async (...args: readonly string[]): Promise<CommandResult> => {
    const command = ['end-credentials', '--table', service.tableName, ...args]
    const result = await runTable(command, environmentOf(), folder.path)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    await signInAgain()
    return result
  }
  const findWorking = async (which: 0 | 1): Promise<readonly CredentialKind[]> => {
    const working: CredentialKind[] = []
    for (const [kind, held] of everybody) if (await held[which].works()) working.push(kind)
    return working.sort()
  }
  const kindsWith = (cause: Cause, ...effects: readonly string[]): readonly CredentialKind[] =>
    credentialKinds.filter((kind) => effects.includes(holdings[kind].ends[cause])).sort()
  const listRoles = async (id: number): Promise<readonly (readonly string[])[]> =>
    requireSuccess(await staff('GET', `organizations/${id}/members`)).body.map(
      ({ roles }: { roles: string[] }) => roles,
    )
  const stateOf = async (id: number) => requireSuccess(await staff('GET', `organizations/${id}`)).body
  const suspended = { id: 0, key: '' }
  const gone = { id: 0, key: '' }

  const addKey = async (): Promise<{ id: number; key: string }> => {
    const owner = await addOwner()
    const { value } = await makers.organization_token(owner)
    return { id: owner.organizationId, key: value }
  }

  // One credential of each kind that lives on, and one that ends after the backup.
  beforeAll(async () => {
    for (const kind of credentialKinds)
      everybody.set(kind, [await makers[kind](await addOwner()), await makers[kind](await addOwner())])
    const owner = await addOwner()
    const { organizationId } = owner
    const removed = await addTo(organizationId, 'admin')
    const demoted = await addTo(organizationId, 'owner')
    members.push({ organizationId, removed, demoted })
    Object.assign(suspended, await addKey())
    Object.assign(gone, await addKey())
    backup = await readItems(service.tableName)
    for (const [, ended] of everybody.values()) await ended.end?.()
    const path = `organizations/${organizationId}/members`
    requireSuccess(await staff('DELETE', `${path}/${removed.user.id}`))
    requireSuccess(await staff('PATCH', `${path}/${demoted.user.id}`, { roles: ['member'] }))
    requireSuccess(await staff('PATCH', `organizations/${suspended.id}`, { state: 'suspended' }))
    requireSuccess(await staff('DELETE', `organizations/${gone.id}`))
    latest = await readItems(service.tableName)
    const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
    await createTable(endpoint, replaced)
    const there = openTable({ tableName: replaced, endpoint })
    for (const item of latest) await there.put(item)
  })

  it('has no record that the registry does not know', () => {
    /** What is beside the records of holdings in their partitions: counts, lists and marks. */
    const others = [
      ...['api-tokens', 'tokens', 'created-organizations', 'counts', 'open-invitations', 'connection-name'],
      ...['place#', 'activity#', 'linked-by-address#', 'guest#', 'flow#', 'made#'],
    ]
    const unknown = [...backup, ...latest].filter(
      (item) =>
        !findHoldingRecord(item) &&
        !otherPartitions.some((name) => isIn(partitions[name], item.pk)) &&
        !others.some((start) => isIn(start, item.sk)),
    )
    expect([...new Set(unknown.map(({ pk, sk }) => `${pk} ${sk}`))]).toEqual([])
  })

  it('that leaked keeps what the registry says, until the options end it', async () => {
    await restoreItems(service, backup)
    await endCredentials()
    expect(await findWorking(0)).toEqual(kindsWith('tableLeak', 'stays', 'option'))
    await restoreItems(service, backup)
    await endCredentials('--api-tokens', 'end', '--access-links', 'end')
    expect(await findWorking(0)).toEqual(kindsWith('tableLeak', 'stays'))
  })

  it('that was restored has nothing that ended since, and what its predecessor still has', async () => {
    await restoreItems(service, backup)
    const { stdout } = await endCredentials('--restored', '--replaced', replaced)
    expect(stdout).toMatch(/API tokens of organizations: \d+ ended/)
    expect(stdout).toMatch(/invitations to organizations: \d+ ended/)
    expect(stdout).toContain('memberships: 2 changed\n')
    expect(stdout).toContain('organizations: 2 changed\n')
    expect(await findWorking(0)).toEqual(kindsWith('restore', 'stays', 'follows'))
    expect(await findWorking(1)).toEqual(kindsWith('restore', 'stays'))
    for (const { organizationId } of members) {
      expect(await listRoles(organizationId)).toEqual([['owner'], ['owner'], ['member']])
      expect(await stateOf(organizationId)).toMatchObject({ state: 'active', member_count: 3 })
    }
    expect(await stateOf(suspended.id)).toMatchObject({ state: 'suspended' })
    expect(await stateOf(gone.id)).toMatchObject({ state: 'suspended' })
    const again = await endCredentials('--restored', '--replaced', replaced, '--dry-run')
    expect(again.stdout).toMatch(/^[\d,]+ items read\.\nusers: [\d,]+ would be changed\n$/)
  })

  it('that was restored alone keeps memberships as they were, and says where to check them', async () => {
    await restoreItems(service, backup)
    const { stdout } = await endCredentials('--restored')
    expect(stdout).toMatch(/organizations to check: \d+\n/)
    expect(await findWorking(0)).toEqual(kindsWith('restoreAlone', 'stays', 'option'))
    for (const { organizationId } of members) {
      expect(await listRoles(organizationId)).toHaveLength(4)
      const path = `auth/audit-events?event=organization.restored&organization=${organizationId}`
      expect(requireSuccess(await staff('GET', path)).body).toHaveLength(1)
    }
  })
})

const isIn = (start: string, text: string): boolean =>
  start.endsWith('#') ? text.startsWith(start) : text === start
