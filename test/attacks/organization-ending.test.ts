import { beforeEach, describe, expect, it } from 'vitest'
import { editOrganization, readOrganizations } from '../../lib/features/organizations/records.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import type { Json } from '../support/client.ts'
import { makePng } from '../support/images.ts'
import { newPersonAddress } from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* Owners who have their organization deleted, thieves and rivals who ask in their name, and what would be deleted by mistake. */

const day = 24 * 60 * 60_000
const service = await useService()
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const asAdmin = callAs(service, admin)
const setDays = async (days: number | null) =>
  expect((await asAdmin('PUT', 'organization-policy', { ending_grace_days: days })).status).toBe(200)
beforeEach(() => setDays(30))

let made = 0
const found = async () => {
  const names = { name: 'Acme Studios', slug: `ending-${++made}-x`, external_id: `crm-${made}` }
  const { body } = await asAdmin('POST', 'organizations', names)
  const id: number = body.id
  const join = async (...roles: readonly string[]) => {
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const added = await asAdmin('POST', `organizations/${id}/members`, { user: person.user.id, roles })
    expect(added.status, added.text).toBe(201)
    return person
  }
  return { id, name: 'Acme Studios', join, owner: await join('owner') }
}
type Organization = Awaited<ReturnType<typeof found>>
const request = ({ id }: { readonly id: number | string }, by: SignedInPerson, body: object = {}) =>
  callAs(service, by)('POST', `organizations/${id}/ending`, body)
const keep = ({ id }: { readonly id: number | string }, by: SignedInPerson) =>
  callAs(service, by)('DELETE', `organizations/${id}/ending`)
const readEnd = async ({ id }: Organization) => (await asAdmin('GET', `organizations/${id}`)).body.ends_at
const isThere = async ({ id }: Organization) => (await asAdmin('GET', `organizations/${id}`)).status === 200
const countItems = async ({ id }: Organization) =>
  (await readItems(service.tableName)).filter(
    ({ pk, sk }) =>
      pk === partitions.organizationEndings &&
      sk.startsWith('ending#') &&
      Number(sk.split('#').at(-1)) === id,
  ).length
/** Lets the days of grace pass. */
const passGrace = async ({ id }: Organization) => {
  const [record] = await readOrganizations(table, [id])
  if (!record?.endsAt) throw new Error('there is no request')
  await editOrganization(table, record, { endsAt: Date.now() - 1000 }, [])
}
const listEvents = async ({ id }: Organization) =>
  (await asAdmin('GET', `auth/audit-events?organization=${id}&limit=100`)).body
    .filter(({ event }: Json) => /ending|deleted/.test(event))
    .map(({ event, actor }: Json) => [event, actor !== null])

describe('an owner who ends the organization', () => {
  it('gets the day, every owner is informed, and it is deleted then and not before', async () => {
    const acme = await found()
    const [other, member] = [await acme.join('admin', 'owner'), await acme.join('admin')]
    const answer = await request(acme, acme.owner)
    expect(answer.status, answer.text).toBe(200)
    const end = Date.parse(answer.body.ends_at)
    expect(Math.abs(end - Date.now() - 30 * day)).toBeLessThan(day / 2)
    for (const { user } of [acme.owner, other]) {
      const sentence = 'An owner asked for the deletion of the organization “Acme Studios”'
      const mail = await service.mailbox.mailTo(user.email, ({ text }) => text.includes(sentence))
      expect(mail.text).toContain(`/organization#/${acme.id}/settings`)
    }
    expect(service.mailbox.mailsTo(member.user.email)).toEqual([])
    const [own] = (await callAs(service, member)('GET', 'users/me/organizations')).body
    expect(own.ends_at).toBe(answer.body.ends_at)

    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(true)
    await passGrace(acme)
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(false)
    expect(await countItems(acme)).toBe(0)
    expect((await callAs(service, member)('GET', 'users/me/organizations')).body).toEqual([])
    expect((await callAs(service, member)('GET', 'users/me')).status).toBe(200)
    expect(await listEvents(acme)).toEqual([
      ['organization.deleted', false],
      ['organization.ending_requested', true],
    ])
    // Its slug stays reserved.
    const again = await asAdmin('POST', 'organizations', { name: 'Evil', slug: `ending-${made}-x` })
    expect(again.body.reason).toBe('slug_taken')
  })

  it('counts once, also twenty times at once, and another owner keeps it', async () => {
    const acme = await found()
    const other = await acme.join('owner')
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(acme, acme.owner)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await countItems(acme)).toBe(1)
    const first = await readEnd(acme)
    expect((await request(acme, other)).body.ends_at).toBe(first)
    const kept = await Promise.all([keep(acme, other), keep(acme, other)])
    expect(kept.map(({ status }) => status)).toContain(204)
    expect([await readEnd(acme), await countItems(acme)]).toEqual([null, 0])
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(true)
    const events: readonly [string, boolean][] = await listEvents(acme)
    for (const name of ['organization.ending_requested', 'organization.ending_withdrawn'])
      expect(events.filter(([event]) => event === name)).toHaveLength(1)
  })

  it('is refused while the policy lets nobody, and what was asked before waits', async () => {
    const acme = await found()
    await request(acme, acme.owner)
    await passGrace(acme)
    await setDays(null)
    const refused = await request(await found(), acme.owner)
    expect(refused.status).toBe(404)
    expect((await request(acme, acme.owner)).body.reason).toBe('ending_off')
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(true)
    await setDays(1)
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(false)
  })

  it('does not end one that the service suspended, until it is active again', async () => {
    const acme = await found()
    await request(acme, acme.owner)
    await passGrace(acme)
    await asAdmin('PATCH', `organizations/${acme.id}`, { state: 'suspended' })
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(true)
    await asAdmin('PATCH', `organizations/${acme.id}`, { state: 'active' })
    await service.deleteDueAccounts()
    expect(await isThere(acme)).toBe(false)
  })

  it('agrees to what the dialog showed, and to nothing else', async () => {
    const acme = await found()
    const shown = { organization: acme.id, name: acme.name, grace_days: 30 }
    await asAdmin('PATCH', `organizations/${acme.id}`, { name: 'Acme Film Studios' })
    expect((await request(acme, acme.owner, { shown })).body.reason).toBe('decision_changed')
    const now = { ...shown, name: 'Acme Film Studios' }
    await setDays(1)
    expect((await request(acme, acme.owner, { shown: now })).body.reason).toBe('decision_changed')
    expect(await readEnd(acme)).toBeNull()
    expect((await request(acme, acme.owner, { shown: { ...now, grace_days: 1 } })).status).toBe(200)
  })
})

describe('nobody else ends it, or keeps it', () => {
  it.each(['admin', 'member'])('not %s', async (role) => {
    const acme = await found()
    const person = await acme.join(role)
    expect((await request(acme, person)).status).toBe(403)
    expect((await keep(acme, person)).status).toBe(403)
  })

  it('not an owner of another one, nor a former owner, for whom it does not exist', async () => {
    const [acme, rival] = [await found(), await found()]
    const former = await acme.join('owner')
    await callAs(service, former)('DELETE', `users/me/organizations/${acme.id}`)
    await request(acme, acme.owner)
    for (const person of [rival.owner, former]) {
      const [here, nowhere] = [await request(acme, person), await request({ id: 999_999 }, person)]
      expect([here.status, here.body.detail]).toEqual([404, nowhere.body.detail])
      expect((await keep(acme, person)).status).toBe(404)
    }
    expect(await readEnd(acme)).not.toBeNull()
  })

  it('not a session without a recent proof of identity, in both directions', async () => {
    const acme = await found()
    await ageAuthentication(service, acme.owner, 20 * 60_000)
    expect((await request(acme, acme.owner)).body.reason).toBe('reauthentication_required')
    const other = await acme.join('owner')
    await request(acme, other)
    expect((await keep(acme, acme.owner)).body.reason).toBe('reauthentication_required')
  })

  it('not an API token of an owner, nor one of the organization', async () => {
    const acme = await found()
    const call = callAs(service, acme.owner)
    const ofOwner = await call('POST', 'api-tokens', { name: 'script' })
    const own = await call('POST', `organizations/${acme.id}/api-tokens`, {
      name: 'nightly',
      permissions: ['org:members:view'],
    })
    for (const bearer of [ofOwner.body.token, own.body.token])
      for (const method of ['POST', 'DELETE'])
        expect([401, 403]).toContain(
          (await service.client(method, `/api/2/organizations/${acme.id}/ending`, { bearer, body: {} }))
            .status,
        )
    expect(await readEnd(acme)).toBeNull()
  })

  it.each([
    ['a text', { shown: 'yes' }],
    ['null', { shown: null }],
    ['an unknown field', { ends_at: '2020-01-01T00:00:00.000Z' }],
    ['a prototype', JSON.parse('{"shown":{"__proto__":{"grace_days":0}}}')],
    ['a huge name', { shown: { organization: 1, name: 'x'.repeat(100_000), grace_days: 30 } }],
  ])('not a body with %s', async (_, body) => {
    const acme = await found()
    expect([400, 409, 413]).toContain((await request(acme, acme.owner, body)).status)
    expect(await readEnd(acme)).toBeNull()
  })

  it('not a change of the organization, which cannot set the day', async () => {
    const acme = await found()
    for (const person of [acme.owner, admin]) {
      const body = { ends_at: '2020-01-01T00:00:00.000Z' }
      const changed = await callAs(service, person)('PATCH', `organizations/${acme.id}`, body)
      expect(changed.body.ends_at ?? null).toBeNull()
    }
    expect(await countItems(acme)).toBe(0)
  })
})

it('the mails of an owner who asks again and again are limited', async () => {
  const acme = await found()
  const other = await acme.join('owner')
  for (let at = 0; at < 12; at++) {
    expect((await request(acme, acme.owner)).status).toBe(200)
    expect((await keep(acme, acme.owner)).status).toBe(204)
  }
  await request(acme, acme.owner)
  await service.mailbox.mailTo(other.user.email)
  expect(service.mailbox.mailsTo(other.user.email).length).toBeLessThanOrEqual(10)
})

it('ends with its logo, whose address shows nothing from then on', async () => {
  const acme = await found()
  const logo = { content_type: 'image/png', data: makePng().toString('base64') }
  const branded = await callAs(service, acme.owner)('PUT', `organizations/${acme.id}/branding`, { logo })
  expect(branded.status, branded.text).toBe(200)
  await request(acme, acme.owner)
  await passGrace(acme)
  await service.deleteDueAccounts()
  expect(await isThere(acme)).toBe(false)
  const left = (await readItems(service.tableName)).filter(({ pk }) => pk.startsWith(partitions.logo))
  expect(left).toEqual([])
})

it('one that an administrator deletes leaves no day behind', async () => {
  const acme = await found()
  await request(acme, acme.owner)
  expect((await asAdmin('DELETE', `organizations/${acme.id}`)).status).toBe(204)
  expect(await countItems(acme)).toBe(0)
})
