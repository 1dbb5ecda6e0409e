import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { settableUserFields, userFields } from '../../lib/accounts/users/user-fields.models.ts'
import { ServiceUserProfileUpdate } from '../../lib/features/directory/users/profile.models.ts'
import { type FieldCaller, listSeenBy, listSettableBy } from '../../lib/kernel/contract/field-rights.ts'
import { profileChangeFields } from '../../lib/published-clients/user-fields.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* People, and those who manage them, try each field of a user at each door. What is not declared for them changes nothing. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'films:edit'] })
const viewer = await addSignedIn(service, { permissions: ['users:view'] })
const outsider = await addSignedIn(service)
const asAdmin = callAs(service, admin)
const attributes = [{ name: 'team', type: 'text' }]
expect((await asAdmin('PUT', 'system/user-attributes', { attributes })).status).toBe(200)
const group = await asAdmin('POST', 'groups', {
  name: randomUUID(),
  permissions: ['films:edit'],
  members: [],
})
expect(group.status, group.text).toBe(201)

const names = Object.keys(settableUserFields) as (keyof typeof settableUserFields)[]

/** Another value of each field. */
const makeValues = (): Readonly<Record<keyof typeof settableUserFields, JsonValue>> => ({
  username: `user-${randomUUID()}`,
  email: `${randomUUID()}@example.com`,
  full_name: 'Countess',
  language: 'de',
  page_language: 'de',
  default_page: '/films',
  attributes: [{ name: 'team', value: 'Films' }],
  permissions: ['films:edit'],
  groups: [group.body.id],
  is_enabled: false,
  expiry: '2099-01-31T12:00:00.000Z',
  is_external: true,
  allow_changing_password: false,
  password_change_required: true,
})

interface Door {
  /** Who comes, to the account of the person. */
  readonly as: (person: SignedInPerson) => Pick<SignedInPerson, 'bearer'>
  readonly path: (person: SignedInPerson) => string
  readonly is: readonly FieldCaller[]
}
const ofUser = ({ user }: SignedInPerson) => `users/${user.id}`
const doors: Readonly<Record<string, Door>> = {
  'a manager of users': { as: () => manager, path: ofUser, is: ['service'] },
  'a viewer of users': { as: () => viewer, path: ofUser, is: [] },
  'somebody else': { as: () => outsider, path: ofUser, is: [] },
  'the person at the door of managers': { as: (person) => person, path: ofUser, is: [] },
  'the person in their profile': { as: (person) => person, path: () => 'users/me', is: ['person'] },
}

describe.each(Object.entries(doors))('%s', (_, { as, path, is }) => {
  it.each(names)('sets %s only if it is declared for them', async (name) => {
    const person = await addSignedIn(service)
    const read = async (): Promise<JsonValue> => (await asAdmin('GET', ofUser(person))).body[name]
    const given = makeValues()[name]
    const before = await read()
    expect(before).not.toEqual(given)
    const answer: Answer = await callAs(service, as(person))('PATCH', path(person), { [name]: given })
    const after = await read()
    if (is.some((caller) => settableUserFields[name].by.some((one) => one === caller))) {
      expect(answer.status, answer.text).toBe(200)
      expect(after).toEqual(name === 'attributes' ? [expect.objectContaining(given[0])] : given)
      return
    }
    // A profile can be sent back as it was read, so its other fields are ignored.
    expect(is.includes('person') ? [200, 400] : [403], answer.text).toContain(answer.status)
    expect(after).toEqual(before)
  })
})

describe('a profile', () => {
  it('is open to the person in the fields that are declared for them', () => {
    const ofClients = Object.keys(profileChangeFields)
    const settable = Object.keys(ServiceUserProfileUpdate.def.shape).filter(
      (name) => !ofClients.includes(name),
    )
    expect(settable.toSorted()).toEqual([...listSettableBy(settableUserFields, 'person')].toSorted())
    expect(settable.toSorted()).toEqual(['default_page', 'full_name', 'language', 'page_language'])
  })

  it('shows the person the fields that are declared for them, and no other one', async () => {
    const person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const { body } = await callAs(service, person)('GET', 'users/me')
    const fields = { ...userFields, ...settableUserFields }
    const shown = Object.keys(fields).filter((name) => Object.hasOwn(body, name))
    expect(shown).toEqual(listSeenBy(fields, 'person'))
  })

  it('is shown with all fields to those who manage users', async () => {
    const { body } = await callAs(service, viewer)('GET', ofUser(outsider))
    expect(names.filter((name) => !Object.hasOwn(body, name))).toEqual([])
  })
})
