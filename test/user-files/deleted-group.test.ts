import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { addSignedIn, callAs } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/* An import reads groups before it writes their members, and an administrator deletes one between the two. */

const service = await useWatchedService()
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))

it('names the group that was just deleted, creates no user, and imports the other lines', async () => {
  const { body: group } = await call('POST', '/api/2/groups', { name: `g-${randomUUID()}`, permissions: [] })
  const [username, other] = [`a-${randomUUID()}`, `b-${randomUUID()}`]
  const statuses: number[] = []
  service.justBefore(hasStep('ConditionCheck', `group#${group.id}`), async () => {
    statuses.push((await call('DELETE', `/api/2/groups/${group.id}`)).status)
  })
  const { body } = await call('POST', '/api/2/users/import', {
    lines: [{ username, groups: [group.name] }, { username: other }],
  })
  service.restore()
  expect(statuses).toEqual([204])
  expect(body.results).toMatchObject([
    { outcome: 'refused', errors: [{ field: 'groups', message: 'contains a group that was just deleted' }] },
    { outcome: 'imported' },
  ])
  expect((await call('GET', `/api/2/users?username=${username}`)).body).toEqual([])
})
