import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { editOrganization, readOrganizations } from '../../lib/features/organizations/records.ts'
import { addOrganization, newPersonAddress } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Owners who call their organization like the product, or in letters that look like others, where people enter their passwords. */

const service = await useService()
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'organizations:view'] })
const asStaff = callAs(service, staff)
const policy = { creation: 'everybody', creations_max: 100 }
expect((await callAs(service, admin)('PUT', 'organization-policy', policy)).status).toBe(200)
const owner = await addSignedIn(service, { email: newPersonAddress() })
const acme = await addOrganization(service, staff)
const newSlug = () => `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`

/** Every door by which people name an organization. */
const doors = {
  create: (names: object) =>
    callAs(service, owner)('POST', 'users/me/organizations', { name: 'Films', slug: newSlug(), ...names }),
  change: (names: object) => callAs(service, acme.owner)('PATCH', `organizations/${acme.id}`, names),
  brand: (names: object) => callAs(service, acme.owner)('PUT', `organizations/${acme.id}/branding`, names),
}
const mixed = ['Lаtchkey', 'Раypal', 'Аcme Studios']
const likeProduct = [
  'Latchkey',
  'latchkey support',
  'L a t c h k e y',
  '1atchkey',
  'Iatchkey Help',
  'LATCHKEY!',
  'Látchkey',
]

describe.each(Object.entries(doors))('names to %s an organization', (_, send) => {
  it.each([...mixed, ...likeProduct])('are not %s', async (name) => {
    const refused = await send({ name })
    expect([refused.status, refused.body.errors?.[0].field]).toEqual([400, 'name'])
  })

  it.each(['Zoë & Söhne', '株式会社アクメ Films', 'Киностудия', 'Latch Company'])(
    'can be %s',
    async (name) => {
      expect((await send({ name })).status).toBeLessThan(300)
    },
  )
})

describe('slugs', () => {
  it('of members never look like the product', async () => {
    for (const slug of ['latchkey', 'latch-key', 'latchkey-support', 'my-latchkey'])
      for (const send of [doors.create, doors.change]) {
        const refused = await send({ slug })
        expect([refused.status, refused.body.errors?.[0].field], slug).toEqual([400, 'slug'])
      }
  })
})

describe('holders of organizations:manage', () => {
  it('may name one like the product, and not in mixed scripts', async () => {
    const create = (name: string) => asStaff('POST', 'organizations', { name, slug: newSlug() })
    expect((await create('Latchkey')).status).toBe(201)
    expect((await create(mixed[0] ?? '')).status).toBe(400)
  })
})

describe('the sign-in page', () => {
  it('shows neither name nor slug of an organization that are those of the product', async () => {
    const [record] = await readOrganizations(table, [acme.id])
    if (!record) throw new Error('there is no organization')
    const branding = { name: 'Latchkey', logo: null, dark_logo: null, accent_color: '#b91c1c' }
    const changed = { nowMs: Date.now(), isLimited: false }
    await editOrganization(table, record, { branding, slug: 'latchkey' }, [], changed)
    const { text } = await service.client('GET', `/?organization=${acme.id}`)
    expect(text.replaceAll('&quot;', '"')).toContain(`"organization":"#${acme.id}"`)
  })
})
