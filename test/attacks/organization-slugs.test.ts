import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getSlugLook } from '../../lib/features/organizations/text-rules.models.ts'
import { organizationKey, organizationSlugKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import {
  addOrganization,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Owners who keep the names of others from them, by renaming, deleting and merging. */

const day = 24 * 60 * 60_000
const service = await useService()
const { table, now } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'organizations:view'] })
const asStaff = callAs(service, staff)

const newSlug = () => `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`
const rename = ({ id }: Pick<OwnedOrganization, 'id'>, by: Pick<SignedInPerson, 'bearer'>, slug: string) =>
  callAs(service, by)('PATCH', `organizations/${id}`, { slug })
const create = (slug: string) => asStaff('POST', 'organizations', { name: 'Toyota', slug })
const release = (slug: string, by: Pick<SignedInPerson, 'bearer'> = staff) =>
  callAs(service, by)('DELETE', `organization-slugs/${slug}`)
const listFormer = async ({ id }: OwnedOrganization): Promise<readonly string[]> =>
  (await asStaff('GET', `organizations/${id}`)).body.former_slugs.map(({ slug }: { slug: string }) => slug)
/** Lets the month of earlier changes pass. */
const passMonth = ({ id }: OwnedOrganization) =>
  table.update(organizationKey(id), (x) => ({
    set: [`${x.path('slugChanges')} = ${x.value([now() - 31 * day])}`],
  }))
/** Lets the year of a former slug pass. */
const passYear = (slug: string) =>
  table.update(organizationSlugKey(getSlugLook(slug)), (x) => ({
    set: [`${x.path('reservedUntil')} = ${x.value(now() - 1)}`],
  }))

describe('an organization that renames itself', () => {
  it('changes its slug twice in a month, also 30 times at once, by an owner and by its key', async () => {
    const acme = await addOrganization(service, staff)
    const made = await callAs(service, acme.owner)('POST', `organizations/${acme.id}/api-tokens`, {
      name: 'squatter',
      permissions: ['org:settings:manage'],
    })
    expect(made.status, made.text).toBe(201)
    const key = { bearer: made.body.token as string }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => rename(acme, at % 2 ? acme.owner : key, newSlug())),
    )
    const changed = answers.filter(({ status }) => status === 200).length
    expect(changed).toBeGreaterThan(0)
    for (let at = changed; at < 2; at++) expect((await rename(acme, acme.owner, newSlug())).status).toBe(200)
    for (const by of [acme.owner, key]) {
      const refused = await rename(acme, by, newSlug())
      expect([refused.status, refused.body.reason]).toEqual([409, 'too_many_slug_changes'])
    }
    expect(await listFormer(acme)).toHaveLength(2)
    // Another spelling of the same slug is a change as well, and other fields are none.
    expect(
      (await callAs(service, acme.owner)('PATCH', `organizations/${acme.id}`, { name: 'Other' })).status,
    ).toBe(200)
    await passMonth(acme)
    expect((await rename(acme, acme.owner, newSlug())).status).toBe(200)
  })

  it('keeps three former slugs, whatever time passes and no matter who changes it', async () => {
    const acme = await addOrganization(service, staff)
    const slugs = Array.from({ length: 3 }, newSlug)
    for (const slug of slugs) {
      await passMonth(acme)
      expect((await rename(acme, acme.owner, slug)).status).toBe(200)
    }
    const former = await listFormer(acme)
    expect(former).toHaveLength(3)
    await passMonth(acme)
    for (const by of [acme.owner, staff])
      expect((await rename(acme, by, newSlug())).body.reason).toBe('too_many_former_slugs')
    // Its own former slug makes room.
    expect((await rename(acme, acme.owner, former[1] ?? '')).status).toBe(200)
    expect(await listFormer(acme)).toEqual([former[0], former[2], slugs[2]])
  })

  it('gives a former slug to others after a year, and its current one to nobody', async () => {
    const acme = await addOrganization(service, staff)
    const [{ slug: first }, second] = [(await asStaff('GET', `organizations/${acme.id}`)).body, newSlug()]
    expect((await rename(acme, acme.owner, second)).status).toBe(200)
    expect((await create(first)).body.reason).toBe('slug_taken')
    await passYear(first)
    const next = await create(first)
    expect(next.status).toBe(201)
    // It belongs to the other one now, also when the first renames itself again.
    const back = await rename(acme, acme.owner, first)
    expect(back.body.reason).toBe('slug_taken')
    expect((await asStaff('GET', `organizations?slug=${first}`)).body).toMatchObject([{ id: next.body.id }])
    expect((await create(second)).body.reason).toBe('slug_taken')
  })

  it('keeps its slug for a year after it was deleted, and then it is free for one of 20', async () => {
    const { id } = (await create(newSlug())).body
    const { slug } = (await asStaff('GET', `organizations/${id}`)).body
    const call = callAs(service, admin)
    expect((await call('DELETE', `organizations/${id}`)).status).toBe(204)
    expect((await create(slug)).body.reason).toBe('slug_taken')
    await passYear(slug)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(slug)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})

describe('a former slug', () => {
  it('is released by holders of organizations:manage alone, also of a deleted organization', async () => {
    const acme = await addOrganization(service, staff)
    const { slug: first } = (await asStaff('GET', `organizations/${acme.id}`)).body
    const second = newSlug()
    expect((await rename(acme, acme.owner, second)).status).toBe(200)
    expect((await release(first, acme.owner)).status).toBe(403)
    // The present one, and what nobody had.
    for (const slug of [second, newSlug(), '__proto__', 'x'.repeat(400)])
      expect((await release(slug)).status, slug).toBe(404)
    const answers = await Promise.all(Array.from({ length: 10 }, () => release(first)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(await listFormer(acme)).toEqual([])
    expect((await create(first)).status).toBe(201)
    expect((await callAs(service, admin)('DELETE', `organizations/${acme.id}`)).status).toBe(204)
    expect((await release(second)).status).toBe(204)
    expect((await create(second)).status).toBe(201)
    const { body } = await callAs(service, admin)(
      'GET',
      `auth/audit-events?organization=${acme.id}&limit=100`,
    )
    const targets = body
      .filter(({ event }: { event: string }) => event === 'organization.slug_released')
      .map(({ target }: { target: string }) => target)
    expect(targets.toSorted()).toEqual([`${acme.id} ${first}`, `${acme.id} ${second}`].toSorted())
  })
})

describe('the number of organizations that a user may create', () => {
  it('counts what a merged account created', async () => {
    const call = callAs(service, admin)
    const policy = { creation: 'everybody', creations_max: 2 }
    expect((await call('PUT', 'organization-policy', policy)).status).toBe(200)
    const people = [
      await addSignedIn(service, { email: newPersonAddress() }),
      await addSignedIn(service, { email: newPersonAddress() }),
    ] as const
    const createAs = (person: SignedInPerson) =>
      callAs(service, person)('POST', 'users/me/organizations', { name: 'Films', slug: newSlug() })
    for (const person of people) expect((await createAs(person)).status).toBe(201)
    const [kept, merged] = people
    const answer = await call('POST', `users/${kept.user.id}/merge`, { user: merged.user.id })
    expect(answer.status, answer.text).toBe(200)
    expect((await createAs(kept)).body.reason).toBe('too_many_organizations')
  })
})
