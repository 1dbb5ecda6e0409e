import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { ServiceGroupDetailUpdate } from '../../lib/accounts/groups/groups.models.ts'
import { writable } from '../../lib/kernel/contract/fields.ts'

const Read = z.strictObject({
  id: z.int(),
  created: z.readonly(z.string()),
  name: z.string(),
  note: z.string(),
})
const Update = z.strictObject({ name: z.string(), note: z.optional(z.string()) })
const body = writable(Update, Read)

const unknownKeys = (given: unknown) =>
  body
    .safeParse(given)
    .error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))

describe('writable', () => {
  it('accepts a body as it was read and ignores read-only fields', () => {
    const read = { id: 1, created: 'then', name: 'n', note: 'x' }
    expect(body.parse(read)).toEqual({ name: 'n', note: 'x' })
    expect(read).toEqual({ id: 1, created: 'then', name: 'n', note: 'x' })
  })

  it('ignores read-only fields with any value', () => {
    expect(body.parse({ id: 'not even an id', created: null, name: 'n' })).toEqual({ name: 'n' })
  })

  it('validates the other fields', () => {
    expect(body.safeParse({ id: 1 }).success).toBe(false)
    expect(body.safeParse({ name: 1 }).success).toBe(false)
  })

  it('rejects every unknown field by name', () => {
    expect(unknownKeys({ name: 'n', id: 1, is_admin: true, nope: 1 })).toEqual(['is_admin', 'nope'])
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'rejects %s as an own key and pollutes no prototype',
    (key) => {
      const given = JSON.parse(`{"name":"n","id":1,${JSON.stringify(key)}:{"polluted":true,"note":"x"}}`)
      expect(unknownKeys(given)).toEqual([key])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
    },
  )

  it('reads no field from a prototype in the body', () => {
    expect(body.safeParse(JSON.parse('{"__proto__":{"name":"n"}}')).success).toBe(false)
  })

  it.each([null, undefined, 'text', 1, true, [], [{ name: 'n' }]])('rejects %j', (given) => {
    expect(body.safeParse(given).success).toBe(false)
  })

  it('has the JSON schema and the type of the update', () => {
    expect(z.toJSONSchema(body)).toEqual(z.toJSONSchema(Update))
    expect(z.toJSONSchema(body, { io: 'input' })).toEqual(z.toJSONSchema(Update, { io: 'input' }))
    expectTypeOf<z.output<typeof body>>().toEqualTypeOf<z.output<typeof Update>>()
  })

  it('accepts the members of a group as they were read and keeps their IDs', () => {
    const group = { name: 'g', members: [{ id: 4, username: 'anna', is_enabled: true }, { id: 5 }] }
    expect(ServiceGroupDetailUpdate.parse(group)).toEqual({ name: 'g', members: [{ id: 4 }, { id: 5 }] })
    const polluted = JSON.parse('{"name":"g","members":[{"id":4,"__proto__":{"x":1}}]}')
    expect(ServiceGroupDetailUpdate.safeParse(polluted).success).toBe(false)
  })
})
