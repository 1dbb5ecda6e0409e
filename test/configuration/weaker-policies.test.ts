import { beforeEach, describe, expect, it } from 'vitest'
import { isWeaker, type Weaker } from '../../lib/features/configuration/weaker.ts'
import { applyByFunction } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A policy never becomes weaker because a document does not name a field of it. */

const service = await useService()
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
const read = async (path: string) => (await call('GET', path)).body
const apply = async (fields: object, options: object = {}) => {
  const document = { schema_version: 1, owner: 'films', ...fields }
  const { status, changes, body } = await applyByFunction(service, document, options)
  expect(status, JSON.stringify(body)).toBe(200)
  return { change: changes[0] }
}
// No file has a policy when a test begins.
beforeEach(async () => {
  await apply({}, { prune: true })
})

describe('a field of a policy that a document leaves out', () => {
  it('has the value of a new service, and null takes that away', async () => {
    await apply({ password_policy: { min_length: 14 } })
    expect(await read('system/password-policy')).toMatchObject({ min_length: 14, no_pwned: true })
    const { change } = await apply({ password_policy: { min_length: 14, no_pwned: null } })
    expect(change).toMatchObject({ broadens: true, fields: [{ name: 'no_pwned' }] })
    expect(await read('system/password-policy')).toMatchObject({ min_length: 14, no_pwned: null })
    await apply({ password_policy: {} })
    expect(await read('system/password-policy')).toMatchObject({ min_length: 12, no_pwned: true })

    await apply({ sign_in_policy: { allow_email_codes: true } })
    expect(await read('system/sign-in-policy')).toMatchObject({
      allow_email_codes: true,
      password_only_min_length: 15,
    })
  })

  it('keeps what is stronger in a policy that was adopted, also later, until the document names it', async () => {
    const set = await call('PUT', 'system/sign-in-policy', {
      password_only_min_length: 20,
      second_factor_grace_days: 0,
      allow_email_codes: true,
      passkey_upgrades: false,
    })
    expect(set.status, JSON.stringify(set.body)).toBe(200)
    const adopted = { adopt: true, remembered_device_days: 7 }
    const { change } = await apply({ sign_in_policy: adopted })
    // Email codes are weaker than nothing, so they end with what a new service has.
    expect(change.fields.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'allow_email_codes',
      'passkey_upgrades',
      'remembered_device_days',
    ])
    const kept = { password_only_min_length: 20, second_factor_grace_days: 0 }
    expect(await read('system/sign-in-policy')).toMatchObject({ ...kept, allow_email_codes: false })
    expect((await apply({ sign_in_policy: adopted })).change.action).toBe('none')
    await apply({ sign_in_policy: { remembered_device_days: 3 } })
    expect(await read('system/sign-in-policy')).toMatchObject({ ...kept, remembered_device_days: 3 })
    const named = await apply({ sign_in_policy: { password_only_min_length: 15 } })
    expect(named.change.broadens).toBe(true)
    expect(await read('system/sign-in-policy')).toMatchObject({
      ...kept,
      password_only_min_length: 15,
      remembered_device_days: 0,
    })
  })

  it('keeps a stronger length of passwords when the plan of another field is applied', async () => {
    const strong = { min_length: 20, regex: '.*[0-9].*', no_pwned: true }
    expect((await call('PUT', 'system/password-policy', strong)).status).toBe(200)
    const { change } = await apply({ password_policy: { adopt: true, min_entropy_bits: 40 } })
    expect(change).toMatchObject({ broadens: false, fields: [{ name: 'min_entropy_bits' }] })
    expect(await read('system/password-policy')).toMatchObject({ ...strong, min_entropy_bits: 40 })
  })
})

describe('a change of a policy', () => {
  it.each<readonly [Weaker, before: unknown, after: unknown, expected: boolean]>([
    ['lower', 20, 8, true],
    ['lower', 20, null, true],
    ['lower', null, 8, false],
    ['higher', 3, 4, true],
    ['higher', 3, null, true],
    ['higher', null, 3, false],
    ['off', true, false, true],
    ['off', true, null, true],
    ['off', false, true, false],
    ['on', null, 30, true],
    ['on', 30, null, false],
    ['fewer', ['a', 'b'], ['b'], true],
    ['fewer', [{ a: 1 }], [{ a: 2 }], true],
    ['fewer', ['a'], ['b', 'a'], false],
    ['fewer', ['a'], null, true],
    ['more', ['a'], ['a', 'b'], true],
    ['more', ['a', 'b'], ['a'], false],
    ['changed', 'a', 'b', true],
    ['changed', 'a', 'a', false],
    ['never', 'a', 'b', false],
    [['never', 'ask', 'always'], 'never', 'ask', true],
    [['never', 'ask', 'always'], 'always', 'ask', false],
    [['never', 'ask', 'always'], 'always', 'something new', true],
  ])('%j from %j to %j makes it weaker: %s', (weaker, before, after, expected) => {
    expect(isWeaker(weaker, before, after)).toBe(expected)
  })
})
