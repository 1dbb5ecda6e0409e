import { describe, expect, it } from 'vitest'
import { newPersonAddress } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
const setPolicy = async (policy: object) =>
  expect((await asAdmin('PUT', 'organization-policy', policy)).status).toBe(200)
const addPerson = () => addSignedIn(service, { email: newPersonAddress() })
let made = 0
const create = (person: Pick<SignedInPerson, 'bearer'>, body: object = {}) =>
  callAs(service, person)('POST', 'users/me/organizations', {
    name: 'Ada’s films',
    slug: `films-${++made}-own`,
    ...body,
  })

describe('who may create an organization', () => {
  it('is only an administrator until the policy says otherwise', async () => {
    const person = await addPerson()
    expect((await callAs(service, person)('GET', 'organization-policy')).body).toEqual({
      creation: 'administrators',
      creations_max: 3,
      ending_grace_days: null,
      company_sign_in: 'never',
    })
    expect((await create(person)).body.reason).toBe('creation_off')
    expect(
      (await callAs(service, person)('PUT', 'organization-policy', { creation: 'everybody' })).status,
    ).toBe(403)
  })

  it('is everybody with a confirmed address, who becomes the owner and goes on alone', async () => {
    await setPolicy({ creation: 'everybody' })
    const person = await addPerson()
    const created = await create(person)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ external_id: null, member_count: 1, is_ownerless: false })
    expect(created.headers.get('location')).toBe(`/api/2/organizations/${created.body.id}`)
    const call = callAs(service, person)
    expect((await call('GET', 'users/me/organizations')).body).toMatchObject([
      { id: created.body.id, roles: ['owner'] },
    ])
    expect((await call('GET', `organizations/${created.body.id}/members`)).body).toMatchObject([
      { source: 'creation', roles_given_by: person.user.id },
    ])
    const path = `organizations/${created.body.id}`
    expect(
      (await call('POST', `${path}/invitations`, { email: newPersonAddress(), roles: ['admin'] })).status,
    ).toBe(201)
    expect((await call('PATCH', path, { member_limit: 1_000 })).status).toBe(403)
    const events = await asAdmin('GET', `auth/audit-events?organization=${created.body.id}&limit=100`)
    expect(events.body.map(({ event }: { readonly event: string }) => event)).toEqual(
      expect.arrayContaining(['organization.created', 'organization.member_added']),
    )
    await setPolicy({})
    expect((await create(person)).body.reason).toBe('creation_off')
  })

  it('needs a confirmed address, and nothing else that the service keeps for itself', async () => {
    await setPolicy({ creation: 'everybody' })
    expect((await create(await addSignedIn(service))).body.reason).toBe('unconfirmed_email')
    const person = await addPerson()
    const wide = await create(person, { external_id: 'crm-1', member_limit: 5, state: 'active' })
    expect([wide.status, wide.body.errors.map(({ field }: { readonly field: string }) => field)]).toEqual([
      400,
      ['external_id', 'member_limit', 'state'],
    ])
    for (const name of ['Your Bank: evil.example', 'https://evil', '', '__proto__@x', 'x'.repeat(101)])
      expect((await create(person, { name })).status, name).toBe(400)
    for (const slug of ['me', 'organization', '1st', '__proto__', 'A'])
      expect((await create(person, { slug })).status, slug).toBe(400)
    expect((await callAs(service, person)('GET', 'users/me/organizations')).body).toEqual([])
  })

  it('creates no more than the policy allows, also at the same moment, and deleted ones count', async () => {
    await setPolicy({ creation: 'everybody', creations_max: 3 })
    const person = await addPerson()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(person)))
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(3)
    expect((await create(person)).body.reason).toBe('too_many_organizations')
    expect((await asAdmin('DELETE', `organizations/${created[0]?.body.id}`)).status).toBe(204)
    expect((await create(person)).body.reason).toBe('too_many_organizations')
    expect((await callAs(service, person)('GET', 'users/me/organizations')).body).toHaveLength(2)
    await setPolicy({ creation: 'everybody', creations_max: 4 })
    expect((await create(person)).status).toBe(201)
  })

  it('gets no slug that another organization has, had, or looks like', async () => {
    await setPolicy({ creation: 'everybody' })
    expect((await create(await addPerson(), { slug: 'mill-films' })).status).toBe(201)
    const person = await addPerson()
    for (const slug of ['mill-films', 'mi11-films', 'millfilms'])
      expect((await create(person, { slug })).body.reason, slug).toBe('slug_taken')
    // What was refused counts as nothing.
    await setPolicy({ creation: 'everybody', creations_max: 1 })
    expect((await create(person)).status).toBe(201)
  })
})
