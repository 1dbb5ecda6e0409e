import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { groupFields } from '../../lib/accounts/groups/groups.models.ts'
import { brandingFields, productBrandingFields } from '../../lib/features/branding/models.ts'
import { entries } from '../../lib/features/configuration/document.models.ts'
import type { FieldCaller } from '../../lib/kernel/contract/field-rights.ts'
import type { SharedFields } from '../../lib/kernel/contract/model.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Groups give rights, and a branding says whom a page belongs to. Each kind of caller sends another value of each field, and looks for each
 * field in what they read. What is not declared for them is refused, and missing.
 */

const service = await useService({
  ALLOWED_ORIGINS: 'https://shop.example',
  LINK_URL: 'Shop=https://shop.example/{id}',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'films:edit'] })
const viewer = await addSignedIn(service, { permissions: ['users:view'] })
const outsider = await addSignedIn(service)
const { owner } = await addOrganization(service, admin)
const asAdmin = callAs(service, admin)
const made = async (answer: Promise<Answer>): Promise<JsonValue> => {
  const { status, body, text } = await answer
  expect(status, text).toBe(201)
  return body
}
const token = await made(
  callAs(service, manager)('POST', 'api-tokens', {
    name: 'Groups',
    scopes: ['users:manage', 'users:view', 'films:edit'],
  }),
)

const bearers = {
  'an administrator': admin.bearer,
  'a manager of users': manager.bearer,
  'an API token of a manager': token.token as string,
  'a viewer of users': viewer.bearer,
  'an owner of an organization': owner.bearer,
  'somebody else': outsider.bearer,
  'a caller without a credential': undefined,
}
type Who = keyof typeof bearers

interface Shared {
  readonly fields: SharedFields
  /** Makes one, and returns the address where it is changed. */
  readonly make: () => Promise<string>
  /** What a reader gets of the one with an address. */
  readonly read: (call: ReturnType<typeof callAs>, path: string) => Promise<Answer>
  /** Another value of each field. */
  readonly values: Readonly<Record<string, JsonValue>>
  readonly changers: readonly Who[]
  readonly readers: Readonly<Partial<Record<Who, FieldCaller>>>
  /** The entry of a document, whose images are files. */
  readonly entry: object
}

const look = {
  logo: { url: 'https://elsewhere.example/logo', width: 16, height: 16 },
  dark_logo: { url: 'https://elsewhere.example/logo', width: 16, height: 16 },
  icon: { url: 'https://elsewhere.example/logo', width: 16, height: 16 },
  product_name: 'Films',
  accent_color: '#b45309',
  background_color: '#f8fafc',
  corner_radius: 'large',
  support_url: 'https://www.example.com/help',
  privacy_url: 'https://www.example.com/privacy',
  terms_url: 'https://www.example.com/terms',
  sender_name: 'Films',
  reply_to: 'help@localhost',
  reply_to_used: false,
}
const everyone = Object.fromEntries(Object.keys(bearers).map((who) => [who, 'everyone'])) as Readonly<
  Record<Who, FieldCaller>
>

const models: Readonly<Record<string, Shared>> = {
  'a group': {
    fields: groupFields,
    make: async () => `groups/${(await made(asAdmin('POST', 'groups', { name: randomUUID() }))).id}`,
    read: (call, path) => call('GET', path),
    values: {
      id: 999,
      permissions: ['films:edit'],
      get name() {
        return randomUUID()
      },
      members_preview: [{ id: outsider.user.id, email: null, avatar: null }],
      effective_permissions: ['films:edit', 'films:view'],
      members: [outsider.user.id],
      gid: 7,
      ldap_dn: 'cn=films',
      ldap_guid: 'films',
      unix_groupname: 'films',
      ldap: { id: 3 },
    },
    changers: ['an administrator', 'a manager of users', 'an API token of a manager'],
    readers: {
      'an administrator': 'service',
      'a manager of users': 'service',
      'an API token of a manager': 'service',
      'a viewer of users': 'service',
    },
    entry: entries.group.def.shape,
  },
  'the branding of the service': {
    fields: brandingFields,
    make: async () => {
      expect((await asAdmin('DELETE', 'branding')).status).toBe(204)
      return 'branding'
    },
    read: (call, path) => call('GET', path),
    values: {
      ...look,
      texts: [{ language: 'de', greeting: 'Hallo', footer: null, support_url: null }],
    },
    changers: ['an administrator'],
    readers: everyone,
    entry: entries.branding.def.shape,
  },
  'the branding of a product': {
    fields: productBrandingFields,
    make: async () => {
      expect((await asAdmin('DELETE', 'branding/products/Shop')).status).toBe(204)
      return 'branding/products/Shop'
    },
    read: async (call) => {
      const answer = await call('GET', 'branding/products')
      return answer.status === 200 ? { ...answer, body: answer.body[0] } : answer
    },
    values: { ...look, name: 'Films', effective: { ...look, texts: [] } },
    changers: ['an administrator'],
    readers: { 'an administrator': 'service' },
    entry: entries.product_branding.def.shape,
  },
}

const toIds = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.map((one) => one?.id ?? one) : value

describe.each(Object.entries(models))('%s', (_, shared) => {
  const { fields, make, read, values, changers, readers, entry } = shared
  const names = Object.keys(fields)
  const isSettable = (name: string) => fields[name]?.given !== undefined

  it('is set by the service and by documents alone', () => {
    const others = names.filter((name) =>
      fields[name]?.by?.some((caller) => caller !== 'service' && caller !== 'configuration'),
    )
    expect(others).toEqual([])
  })

  it('has the fields in a document that are declared for configuration', () => {
    const documented = names.filter((name) => isSettable(name) && Object.hasOwn(entry, name))
    expect(documented).toEqual(names.filter((name) => fields[name]?.by?.includes('configuration')))
  })

  it('has another value of each field in this test', () => {
    expect(Object.keys(values).toSorted()).toEqual(names.toSorted())
  })

  describe.each(Object.entries(bearers) as [Who, string | undefined][])('%s', (who, bearer) => {
    const call = ((method: string, path: string, body?: object) =>
      service.client(method, `/api/2/${path}`, {
        ...(body && { body }),
        ...(bearer !== undefined && { bearer }),
      })) as ReturnType<typeof callAs>

    it('sets the fields that are declared for them, and no other one', async () => {
      const path = await make()
      const readOne = async (): Promise<JsonValue> => (await read(asAdmin, path)).body
      for (const name of names) {
        const given: JsonValue = values[name]
        const before = await readOne()
        const answer = await call('PATCH', path, { [name]: given })
        const after = await readOne()
        const label = `${name}: ${answer.text}`
        const isTheirs = changers.includes(who)
        if (isTheirs) expect(answer.status, label).toBe(200)
        else expect([401, 403], label).toContain(answer.status)
        if (isTheirs && fields[name]?.by?.includes('service')) {
          expect(before[name], label).not.toEqual(given)
          expect(name === 'members' ? toIds(after[name]) : after[name], label).toEqual(given)
        } else expect(after, label).toEqual(before)
      }
    })

    it('sees the fields that are declared for them, and no other one', async () => {
      const { status, body } = await read(call, await make())
      const is = readers[who]
      if (is === undefined) return expect([401, 403]).toContain(status)
      expect(status).toBe(200)
      const seen = names.filter((name) => fields[name]?.seenBy.includes(is))
      expect(Object.keys(body).toSorted()).toEqual(seen.toSorted())
    })
  })
})
