import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { operations } from '../../lib/features/operations.ts'
import { organizationBrandingFields } from '../../lib/features/organizations/branding.models.ts'
import { organizationFields } from '../../lib/features/organizations/models.ts'
import { type FieldCaller, findForbiddenField } from '../../lib/kernel/contract/field-rights.ts'
import { text255 } from '../../lib/kernel/contract/fields.ts'
import {
  field,
  model,
  type SharedFields,
  settable,
  sharedFields,
  toBodyFor,
} from '../../lib/kernel/contract/model.ts'
import {
  type OrganizationPermission,
  organizationPermissionNames,
} from '../../lib/kernel/contract/organization-permissions.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { addMember, addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Callers who may change an object try each of its fields, and look for each of them in what they read. What the declaration of a field
 * does not allow a kind of caller is refused, and missing.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'organizations:view'] })
const viewer = await addSignedIn(service, { permissions: ['organizations:view'] })
const outsider = await addSignedIn(service)

const texts = { en: 'Role', de: 'Rolle' }
const roles: Readonly<Record<string, readonly OrganizationPermission[]>> = {
  settings: ['org:settings:manage'],
  sign_in: ['org:sign-in:manage'],
  both: ['org:settings:manage', 'org:sign-in:manage'],
}
const declared = Object.entries(roles).map(([key, permissions]) => ({ key, texts, permissions }))
expect((await callAs(service, admin)('PUT', 'organization-roles', { roles: declared })).status).toBe(200)

/** A kind of caller in an organization: how they send requests, what they are for its fields, and what they may call. */
interface Caller {
  readonly bearer: string
  readonly is: readonly FieldCaller[]
  readonly changes: boolean
  readonly reads: boolean
}

interface Place {
  readonly id: number
  readonly caller: Caller
}

const addPlace = async (find: (id: number, owner: string) => Promise<Caller>): Promise<Place> => {
  const { id, owner } = await addOrganization(service, staff)
  return { id, caller: await find(id, owner.bearer) }
}

const asMember = (role: string, permissions: readonly OrganizationPermission[]) =>
  addPlace(async (id) => ({
    bearer: (await addMember(service, staff, id, [role])).bearer,
    is: ['member', ...permissions],
    changes: permissions.includes('org:settings:manage'),
    reads: true,
  }))

const callers: Readonly<Record<string, () => Promise<Place>>> = {
  'a holder of organizations:manage': () =>
    addPlace(async () => ({
      bearer: staff.bearer,
      is: ['service', ...organizationPermissionNames],
      changes: true,
      reads: true,
    })),
  'a holder of organizations:view': () =>
    addPlace(async () => ({ bearer: viewer.bearer, is: ['service'], changes: false, reads: true })),
  'an owner': () =>
    addPlace(async (_, bearer) => ({
      bearer,
      is: ['member', ...organizationPermissionNames],
      changes: true,
      reads: true,
    })),
  'a member who manages settings': () => asMember('settings', roles['settings'] ?? []),
  'a member who manages the sign-in': () => asMember('sign_in', roles['sign_in'] ?? []),
  'a member who manages both': () => asMember('both', roles['both'] ?? []),
  'a plain member': () => asMember('member', []),
  'an API token of the organization': () =>
    addPlace(async (id, owner) => {
      const body = { name: 'Sync', permissions: ['org:settings:manage'] }
      const made = await callAs(service, { bearer: owner })('POST', `organizations/${id}/api-tokens`, body)
      expect(made.status, made.text).toBe(201)
      return { bearer: made.body.token, is: ['member', 'org:settings:manage'], changes: true, reads: true }
    }),
  'somebody else': () =>
    addPlace(async () => ({ bearer: outsider.bearer, is: [], changes: false, reads: false })),
}

interface Shared {
  readonly fields: SharedFields
  readonly path: (id: number) => string
  readonly method: 'PATCH' | 'PUT'
  /** Another value of each field. */
  readonly values: Readonly<Record<string, JsonValue>>
  /** Fields whose other value is refused for a reason of its own. */
  readonly refused: readonly string[]
  /** Whether every member reads the object, as well as those who change it. */
  readonly isForMembers: boolean
  /** The fields that others than the service set. One more is a decision, which belongs here. */
  readonly opened: readonly string[]
}

const newSlug = () => `org-${crypto.randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`

const models: Readonly<Record<string, Shared>> = {
  organization: {
    fields: organizationFields,
    path: (id) => `organizations/${id}`,
    method: 'PATCH',
    values: {
      id: 999,
      name: 'Films',
      get slug() {
        return newSlug()
      },
      get external_id() {
        return newSlug()
      },
      state: 'suspended',
      member_limit: 5,
      required_connection: 999,
      requires_second_factor: true,
      sign_in_max_age: 86_400,
      member_count: 999,
      is_ownerless: true,
      created_at: '2020-01-31T12:00:00.000Z',
      ends_at: '2020-01-31T12:00:00.000Z',
      former_slugs: [{ slug: 'former', reserved_until: '2020-01-31T12:00:00.000Z' }],
    },
    refused: ['required_connection'],
    isForMembers: true,
    opened: ['name', 'slug', 'required_connection', 'requires_second_factor', 'sign_in_max_age'],
  },
  'branding of an organization': {
    fields: organizationBrandingFields,
    path: (id) => `organizations/${id}/branding`,
    method: 'PUT',
    values: {
      ...{ name: 'Films', logo: { url: 'x' }, dark_logo: { url: 'x' }, accent_color: '#b45309' },
      ...{ sender_name: 'Films', reply_to: 'people@acme.example', sender_used: true },
    },
    // A sender needs a proven domain.
    refused: ['logo', 'dark_logo', 'sender_name', 'reply_to'],
    isForMembers: false,
    opened: ['name', 'logo', 'dark_logo', 'accent_color', 'sender_name', 'reply_to'],
  },
}

const overlaps = (some: readonly FieldCaller[] | undefined, others: readonly FieldCaller[]) =>
  some?.some((one) => others.includes(one)) ?? false

describe.each(Object.entries(models))('%s', (_, shared) => {
  const { fields, path, method, values, refused, isForMembers, opened } = shared
  const names = Object.keys(fields)
  const read = async (id: number): Promise<JsonValue> => (await callAs(service, staff)('GET', path(id))).body

  it('opens only these fields to others than the service', () => {
    const others = names.filter((name) => fields[name]?.by?.some((caller) => caller !== 'service'))
    expect(others).toEqual(opened)
  })

  it('has another value of each field in this test', () => {
    expect(Object.keys(values)).toEqual(names)
  })

  describe.each(Object.entries(callers))('%s', (who, find) => {
    it('sets the fields that are declared for them, and no other one', async () => {
      const { id, caller } = await find()
      const call = callAs(service, caller)
      for (const name of names) {
        const given: JsonValue = values[name]
        const before = await read(id)
        const answer: Answer = await call(method, path(id), { [name]: given })
        const after = await read(id)
        const isSettable = fields[name]?.given !== undefined
        if (caller.changes && (overlaps(fields[name]?.by, caller.is) || !isSettable))
          expect(answer.status, `${name}: ${answer.text}`).not.toBe(403)
        else expect([403, 404], `${name}: ${answer.text}`).toContain(answer.status)
        if (answer.status !== 200 || !isSettable)
          expect(after[name], `${name} of ${who}`).toEqual(before[name])
        else expect(after[name], `${name} of ${who}`).toEqual(given)
        if (who === 'a holder of organizations:manage' && isSettable)
          expect(answer.status, `${name}: ${answer.text}`).toBe(refused.includes(name) ? 400 : 200)
        if (answer.status !== 200 || !isSettable) continue
        const restored = await callAs(service, staff)(method, path(id), { [name]: before[name] })
        expect(restored.status, `${name}: ${restored.text}`).toBe(200)
      }
    })

    it('sees the fields that are declared for them, and no other one', async () => {
      const { id, caller } = await find()
      const { status, body } = await callAs(service, caller)('GET', path(id))
      const mayRead = caller.reads && (isForMembers || caller.is.includes('service') || caller.changes)
      if (!mayRead || (!isForMembers && !caller.changes)) {
        expect([403, 404]).toContain(status)
        return
      }
      expect(status).toBe(200)
      const seen = names.filter((name) => overlaps(fields[name]?.seenBy, caller.is))
      expect(Object.keys(body).toSorted()).toEqual(seen.toSorted())
    })
  })
})

describe('a field', () => {
  it('does not compile in a shared model before it says who sets and who sees it', () => {
    sharedFields({
      // @ts-expect-error It does not say who sees it.
      id: field(text255, 'The ID.'),
      // @ts-expect-error It does not say who sees it.
      note: settable(text255, 'A note.', { by: ['service'] }),
      // @ts-expect-error It does not say who sets it.
      name: settable(text255, 'The name.', { seenBy: ['service'] }),
    })
  })

  const fields = sharedFields({
    id: field(text255, 'The ID.', { seenBy: ['service', 'member'] }),
    note: settable(text255, 'A note.', { by: ['service'], seenBy: ['service'] }),
  })

  it('is refused and left out for callers whom the declaration does not name', () => {
    expect(findForbiddenField(fields, ['member', 'org:settings:manage'], ['note'])).toBe('note')
    expect(findForbiddenField(fields, ['service'], ['note'])).toBeUndefined()
    expect(toBodyFor(['member'], fields, { id: '1', note: 'Late payer' })).toEqual({ id: '1' })
  })

  it('is optional in answers if some readers do not see it', () => {
    const One = model(fields, { description: 'One.', example: { id: '1', note: 'Late payer' } })
    expect(z.safeParse(One, { id: '1' }).success).toBe(true)
    expect(z.safeParse(One, { note: 'Late payer' }).success).toBe(false)
  })

  it('is refused and left out for everybody without a declaration, or if no request sets it', () => {
    for (const name of ['id', 'other', '__proto__', 'constructor'])
      expect(findForbiddenField(fields, ['service', 'member'], [name])).toBe(name)
    const body = JSON.parse('{"id":"1","other":1,"__proto__":1,"constructor":1}')
    expect(Object.keys(toBodyFor(['service'], fields, body))).toEqual(['id'])
  })
})

describe('an operation that members call as well as the service', () => {
  const covered: Readonly<Record<string, string>> = {
    assign_organization_scim_user: 'only names an account: see scim-assignment.test.ts',
    patch_organization: 'its model is above',
    update_organization_branding: 'its model is above',
    update_organization_email_text: 'only has words: see own-email-texts.test.ts',
    patch_organization_member: 'only has roles: nobody gives more than they have',
    set_organization_scim: 'the settings of a connection that the organization brought are all its own',
  }

  it('changes a model of this test, or says why not', () => {
    const found = operations.filter(
      ({ access, method }) =>
        access.allow === 'role' && access.inOrganization !== 'none' && ['PUT', 'PATCH'].includes(method),
    )
    expect(found.map(({ id }) => id).toSorted()).toEqual(Object.keys(covered).toSorted())
  })
})
