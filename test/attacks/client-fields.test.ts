import { describe, expect, it } from 'vitest'
import { clientFieldsBytes } from '../../lib/kernel/limits/limits.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Values of published clients are text in one attribute of a record, and an item of the table has at most 400 KB. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const call = callAs(service, admin)

const tooLong = `is too long: the fields of published clients have at most ${clientFieldsBytes} bytes together`

describe('values of published clients that do not fit into a record', () => {
  it('are rejected if several requests or longer numbers add up, and change nothing', async () => {
    const user = { username: 'collector', permissions: [], groups: [], ldap: 'x'.repeat(60_000) }
    const { id } = (await call('POST', 'users', user)).body
    const bookmarks = { fm_bookmarks: ['y'.repeat(60_000)] }
    expect((await call('PATCH', `users/${id}`, bookmarks)).status).toBe(200)
    // Four characters of a body become 16 of a record.
    const raw = `{"ldap":[${Array(12_000).fill('1e15').join()}]}`
    const changed = await service.client('PATCH', `/api/2/users/${id}`, { bearer: admin.bearer, raw })
    expect(changed.status).toBe(400)
    expect(changed.body.errors).toEqual([{ field: 'ldap', message: tooLong }])
    const read = await call('GET', `users/${id}`)
    expect(read.body).toMatchObject({ ldap: user.ldap, ...bookmarks })
  })
})
