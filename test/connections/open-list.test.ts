import { expect, it } from 'vitest'
import { makeIdp } from '../support/idp.ts'
import { addConnections } from '../support/open-list.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { ids, list, get, admin } = await addConnections(service, await makeIdp(), await makeIdp())

it('shows everyone hidden connections, which published clients may show, and none in set-up', async () => {
  expect(await list()).toEqual([ids.shown, ids.hidden].sort())
  expect([await get(ids.hidden), await get(ids.inSetup)]).toEqual([200, 404])
  expect(await list(admin.bearer)).toEqual(Object.values(ids).sort())
})
