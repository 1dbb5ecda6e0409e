import { afterAll, describe, expect, it, vi } from 'vitest'
import type { OrganizationRecord } from '../../lib/features/organizations/records.ts'
import { brandingCacheMs, logoCacheMs } from '../../lib/kernel/limits/limits.ts'
import { logoKey } from '../../lib/kernel/table/keys/keys.ts'
import { organizationKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import type { Answer } from '../support/client.ts'
import { costsSince } from '../support/directory.ts'
import { makePng } from '../support/images.ts'
import {
  addMember,
  addOrganization,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

/* What owners of organizations could do to others by their branding, and what strangers could learn from it. */

const service = await useService()
const staff = await addSignedIn(service, {
  permissions: ['organizations:manage', 'organizations:view', 'system:admin-access'],
})
const pathOf = ({ id }: Pick<OwnedOrganization, 'id'>) => `/api/2/organizations/${id}/branding`
const put = (organization: OwnedOrganization, body: object, by: SignedInPerson = organization.owner) =>
  callAs(service, by)('PUT', pathOf(organization), body)
const get = async (organization: OwnedOrganization) =>
  (await callAs(service, organization.owner)('GET', pathOf(organization))).body
const image = (bytes: Buffer = makePng(), contentType = 'image/png') => ({
  content_type: contentType,
  data: bytes.toString('base64'),
})
const expire = (ms = brandingCacheMs) => vi.setSystemTime(Date.now() + ms + 1)
const showPage = async (query: string): Promise<Answer> => {
  expire()
  return service.client('GET', `/${query}`)
}
const readData = ({ text }: Answer) => {
  const [, data = '{}'] = /data-page="([^"]*)"/.exec(text) ?? []
  return JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'))
}
const slugOf = async ({ id }: OwnedOrganization): Promise<string> =>
  (await callAs(service, staff)('GET', `/api/2/organizations/${id}`)).body.slug
const readLogo = async (url: string) => {
  expire(logoCacheMs)
  return (await service.client('GET', new URL(url).pathname)).status
}
const nothing = {
  ...{ name: null, logo: null, dark_logo: null, accent_color: null },
  ...{ sender_name: null, reply_to: null, sender_used: false },
}
/** Deletes an organization, which takes a recent sign-in. */
const remove = async ({ id }: OwnedOrganization) => {
  const recent = await addSignedIn(service, { permissions: ['organizations:manage'] })
  expect((await callAs(service, recent)('DELETE', `organizations/${id}`)).status).toBe(204)
}
/** The hostile requests are refused, so all tests share one organization. */
const acme = await addOrganization(service, staff)

describe('an invitation', () => {
  it('has the look of the organization, and names the service in its text and footer', async () => {
    const organization = await addOrganization(service, staff)
    await put(organization, { name: 'Your Bank', accent_color: '#b91c1c', logo: image() })
    const email = newPersonAddress()
    await inviteMember(service, organization, organization.owner, { email })
    const mail = service.mailbox.mailsTo(email).at(-1)
    const { logo } = await get(organization)
    expect(mail?.html).toContain(new URL(logo.url).pathname)
    expect(mail?.html).toContain('alt="“Your Bank” · Latchkey"')
    expect(mail?.html).toContain('#b91c1c')
    expect(mail?.text).toMatch(/\nLatchkey · /)
    expect(mail?.subject).toContain('Latchkey')
    expect(mail?.text).toContain(`/invite?organization=${organization.id}#token=lkj_`)
    const page = await service.client('GET', `/invite?organization=${organization.id}`)
    expect(readData(page).brand.organization).toBe('Your Bank')
  })
})

describe('the branding of an organization', () => {
  it('is changed by its owner and by holders of organizations:manage alone', async () => {
    const organization = await addOrganization(service, staff)
    const other = await addOrganization(service, staff)
    const member = await addMember(service, staff, organization.id, ['member'])
    const former = await addMember(service, staff, organization.id, ['owner'])
    await callAs(service, former)('DELETE', `/api/2/users/me/organizations/${organization.id}`)
    const refusals = [
      [other.owner, 404],
      [former, 404],
      [await addSignedIn(service), 404],
      [member, 403],
      [await addSignedIn(service, { permissions: ['organizations:view'] }), 404],
    ] as const
    for (const [by, status] of refusals)
      for (const [method, body] of [['GET'], ['PUT', { name: 'Taken over' }], ['DELETE']] as const) {
        const answer = await callAs(service, by)(method, pathOf(organization), body)
        expect([method, answer.status]).toEqual([method, status])
      }
    expect(await get(organization)).toEqual(nothing)
    expect((await put(organization, { name: 'Acme' })).body).toEqual({ ...nothing, name: 'Acme' })
    expect((await put(organization, { name: 'Acme 2' }, staff)).body.name).toBe('Acme 2')
  })

  it.each([
    '',
    ' ',
    'a\nb',
    'Ac\u200bme',
    'Acme\u202egnp.exe',
    'https://evil.example',
    'evil.example',
    'mail me@evil.example',
    '<b>Acme</b>',
    'evil。com',
    'x'.repeat(61),
  ])('cannot have the name %j', async (name) => {
    expect((await put(acme, { name })).status).toBe(400)
  })

  it.each([
    ['a link', { support_url: 'https://evil.example' }],
    ['a footer', { texts: [{ language: 'en', footer: 'Call us' }] }],
    ['a background', { background_color: '#000000' }],
    ['an icon', { icon: image() }],
    ['a name of the product', { product_name: 'Latchkey' }],
    ['a color by name', { accent_color: 'red' }],
    ['a color with a rule', { accent_color: '#fff;}body{display:none' }],
    ['a short color', { accent_color: '#fff' }],
    ['a prototype', JSON.parse('{"__proto__":{"name":"Acme"}}')],
    ['a prototype of a logo', JSON.parse('{"logo":{"__proto__":{"data":"AAAA"}}}')],
    ['a logo by a foreign address', { logo: { url: 'https://evil.example/logo.png' } }],
    ['a logo by any hash', { logo: { url: `${service.url}/logos/${'0'.repeat(64)}` } }],
    ['a list', { logo: [image()] }],
    ['a number', { name: 7 }],
  ])('cannot have %s', async (_, body) => {
    expect((await put(acme, body)).status).toBe(400)
    expect(await get(acme)).toEqual(nothing)
  })

  it.each(['logo', 'dark_logo'])('cannot have a hostile image as %s', async (kind) => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    for (const [type, bytes] of [
      ['image/svg+xml', svg],
      ['image/png', svg],
      ['image/png', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['text/javascript', Buffer.from('alert(1)')],
      ['image/gif', makePng()],
      ['image/png', Buffer.concat([makePng(), Buffer.alloc(128 * 1024)])],
    ] as const) {
      const answer = await put(acme, { [kind]: image(bytes, type) })
      expect([type, answer.status]).toEqual([type, 400])
      expect(answer.body.errors[0].field).toMatch(new RegExp(`^${kind}\\.`))
    }
    expect((await put(acme, { [kind]: { data: '!' } })).status).toBe(400)
    expect((await put(acme, { name: 'x'.repeat(400_000) })).status).toBe(413)
    expect(await get(acme)).toEqual(nothing)
  })

  it('cannot be set twice in one body', async () => {
    const { owner } = acme
    const raw = '{"name":"Acme","name":"Latchkey"}'
    const headers = { 'content-type': 'application/json' }
    const answer = await service.client('PUT', pathOf(acme), { bearer: owner.bearer, raw, headers })
    expect(answer.status).toBe(400)
  })

  it('keeps one of 50 concurrent changes whole, without the images of the others', async () => {
    const organization = await addOrganization(service, staff)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        put(organization, { name: `Acme ${at}`, logo: image(makePng(20 + at, 20)) }),
      ),
    )
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { name, logo } = await get(organization)
    expect(name).toBe(`Acme ${logo.width - 20}`)
    const urls = new Set(
      answers.flatMap(({ status, body }) => (status === 200 ? [String(body.logo.url)] : [])),
    )
    const statuses = await Promise.all([...urls].map(async (url) => [url, await readLogo(url)]))
    expect(statuses.filter(([, status]) => status === 200)).toEqual([[logo.url, 200]])
  })

  it('has images of its own, which end with their use', async () => {
    const [one, two] = [await addOrganization(service, staff), await addOrganization(service, staff)]
    const { url } = (await put(one, { logo: image(), dark_logo: image() })).body.logo
    const other = (await put(two, { logo: image() })).body.logo.url
    await callAs(service, staff)('PUT', '/api/2/branding/logo', image())
    const ofService = (await service.client('GET', '/api/2/branding')).body.logo.url
    expect(new Set([url, other, ofService]).size).toBe(3)
    const { logo } = await get(one)
    expect((await put(two, { logo })).status).toBe(400)
    expect((await put(one, { accent_color: '#B91C1C', logo })).body).toEqual({
      ...nothing,
      logo,
      accent_color: '#b91c1c',
    })
    expect(await readLogo(url)).toBe(200)
    expect((await callAs(service, one.owner)('DELETE', pathOf(one))).status).toBe(204)
    expect([await readLogo(url), await readLogo(other), await readLogo(ofService)]).toEqual([404, 200, 200])
    await callAs(service, staff)('DELETE', '/api/2/branding')
    expect(await readLogo(other)).toBe(200)
    await remove(two)
    expect(await readLogo(other)).toBe(404)
    const hash = new URL(other).pathname.split('/').at(-1) ?? ''
    expect(await service.services.table.get(logoKey(hash))).toBeUndefined()
  })

  it('is recorded with the fields that changed, and not when nothing changes', async () => {
    const organization = await addOrganization(service, staff)
    await put(organization, { name: 'Acme', accent_color: '#b91c1c' })
    await put(organization, { name: 'Acme', accent_color: '#b91c1c' })
    await callAs(service, organization.owner)('DELETE', pathOf(organization))
    const { body } = await callAs(service, staff)(
      'GET',
      '/api/2/auth/audit-events?event=organization.changed',
    )
    const own = body.filter(({ target = '' }) => target.startsWith(`${organization.id} `))
    expect(own.map(({ target }: { target: string }) => target)).toEqual(
      Array(2).fill(`${organization.id} branding.name branding.accent_color`),
    )
    expect(own[0]).toMatchObject({ organization: organization.id, actor: organization.owner.user.id })
  })
})

describe('the sign-in page', () => {
  it('shows an organization by its slug or ID next to the name of the product', async () => {
    const organization = await addOrganization(service, staff)
    const logo = image(makePng(40, 30))
    await put(organization, { name: 'Acme', accent_color: '#b91c1c', logo })
    const slug = await slugOf(organization)
    for (const query of [`?organization=${slug}`, `?organization_id=${organization.id}`]) {
      const page = await showPage(query)
      const { brand } = readData(page)
      expect(brand).toMatchObject({ product_name: 'Latchkey', organization: 'Acme', logo: { width: 40 } })
      expect(page.text).toContain('<p>Acme · Latchkey</p>')
      expect(page.text).toContain('#b91c1c')
    }
    await callAs(service, organization.owner)('PATCH', `/api/2/organizations/${organization.id}`, {
      slug: `new-${slug}`.slice(0, 50),
    })
    expect(readData(await showPage(`?organization=${slug}`)).brand.organization).toBeNull()
  })

  it('cannot be made to name the service by an organization', async () => {
    const organization = await addOrganization(service, staff)
    const slug = await slugOf(organization)
    for (const name of ['Latchkey', 'LATCHKEY Support', 'L a t c h k e y', 'Látchkey']) {
      expect((await put(organization, { name })).status).toBe(400)
      // The product can get its name later.
      expect((await callAs(service, staff)('PUT', pathOf(organization), { name })).status).toBe(200)
      expect(readData(await showPage(`?organization=${slug}`)).brand.organization).toBe(slug)
    }
    await put(organization, { accent_color: '#b91c1c' })
    await callAs(service, staff)('PATCH', `/api/2/organizations/${organization.id}`, { name: 'Latchkey' })
    expect(readData(await showPage(`?organization=${slug}`)).brand.organization).toBe(slug)
  })

  it('escapes what an organization chose', async () => {
    const organization = await addOrganization(service, staff)
    await put(organization, { name: `"'-alert(1)-'{{data}}&lt;` })
    const page = await showPage(`?organization_id=${organization.id}`)
    expect(page.text).toContain('<p>&quot;&#39;-alert(1)-&#39;{{data}}&amp;lt; · Latchkey</p>')
  })

  it('shows unknown, suspended, deleted and unbranded organizations alike, with the same table calls', async () => {
    const [unbranded, suspended, deleted] = [
      await addOrganization(service, staff),
      await addOrganization(service, staff),
      await addOrganization(service, staff),
    ]
    const slugs = [await slugOf(unbranded), await slugOf(suspended), await slugOf(deleted), 'never-there']
    for (const organization of [suspended, deleted]) await put(organization, { name: 'Acme', logo: image() })
    await callAs(service, staff)('PATCH', `/api/2/organizations/${suspended.id}`, { state: 'suspended' })
    await remove(deleted)
    const plain = await showPage('')
    const readings = async (queries: readonly string[]) => {
      const found: { readonly text: string; readonly calls: number | undefined }[] = []
      for (const query of queries) {
        const start = service.log.length
        const { text } = await showPage(query)
        found.push({ text, calls: costsSince(service, start).at(-1)?.calls })
      }
      return found
    }
    const bySlug = await readings(slugs.map((slug) => `?organization=${slug}`))
    const byId = await readings(
      [unbranded.id, suspended.id, deleted.id, 4_294_967_290].map((id) => `?organization_id=${id}`),
    )
    const [without] = await readings([''])
    expect(new Set([...bySlug, ...byId].map(({ text }) => text))).toEqual(new Set([plain.text]))
    // One key for an ID. A slug has to be found first.
    expect(byId.map(({ calls = 0 }) => calls - (without?.calls ?? 0))).toEqual([1, 1, 1, 1])
    expect(bySlug.map(({ calls = 0 }) => calls - (without?.calls ?? 0))).toEqual([2, 2, 2, 2])
  })

  it.each([
    '?organization=__proto__',
    '?organization=constructor',
    '?organization=',
    '?organization=%00',
    `?organization=${'a'.repeat(2000)}`,
    '?organization=acme&organization_id=7',
    '?organization=%3Cscript%3E',
    '?organization_id=1e3',
  ])('is that of the product for %.40s', async (query) => {
    const page = await showPage(query)
    expect([page.status, readData(page).brand.organization]).toEqual([200, null])
  })

  it('cannot be confused by two names', async () => {
    expect((await showPage('?organization=acme&organization=acme')).status).toBe(400)
  })

  it('keeps few organizations in memory however many are named', async () => {
    const organization = await addOrganization(service, staff)
    await put(organization, { name: 'Acme' })
    const query = `?organization_id=${organization.id}`
    expect(readData(await showPage(query)).brand.organization).toBe('Acme')
    const start = service.log.length
    for (let at = 0; at < 3; at += 1) await service.client('GET', `/${query}`)
    expect(costsSince(service, start).map(({ calls }) => calls)).toEqual([0, 0, 0])
  })
})

it('an organization has no branding in its record but what was set', async () => {
  const item = (await service.services.table.get(organizationKey(acme.id))) as Partial<OrganizationRecord>
  expect(item.branding ?? null).toBeNull()
})
