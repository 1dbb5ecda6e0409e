import { describe, expect, it } from 'vitest'
import { makeIdp } from '../support/idp.ts'
import { addConnections } from '../support/open-list.ts'
import { useService } from '../support/use-service.ts'

/* What strangers learn about the customers of a service that hides its connections. */

const service = await useService({ HIDES_CONNECTIONS: 'true' })
const { ids, list, get, admin, user, hidden } = await addConnections(
  service,
  await makeIdp(),
  await makeIdp(),
)

describe('a connection in set-up', () => {
  it('is seen by administrators alone', async () => {
    for (const bearer of [undefined, user.bearer]) {
      expect(await list(bearer)).not.toContain(ids.inSetup)
      expect(await get(ids.inSetup, bearer)).toBe(404)
    }
    expect(await list(admin.bearer)).toEqual(Object.values(ids).sort())
    expect(await get(ids.inSetup, admin.bearer)).toBe(200)
  })
})

describe('a hidden connection', () => {
  it('is seen by administrators alone, in each order and page, and works', async () => {
    for (const bearer of [undefined, user.bearer]) {
      for (const query of ['', '?ordering=-id', '?ordering=name', '?limit=100'])
        expect(await list(bearer, query)).toEqual([ids.shown])
      expect(await get(ids.hidden, bearer)).toBe(404)
      expect(await get(ids.shown, bearer)).toBe(200)
    }
    expect(await get(ids.hidden, admin.bearer)).toBe(200)
    const started = await service.client('GET', new URL(hidden.loginUrl).pathname)
    expect(started.status).toBe(303)
  })
})
