import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { ServiceGroupDetailUpdate } from '../../lib/contract/models/group-update.ts'
import { writable } from '../../lib/contract/models/writable.ts'

const Read = z.strictObject({ id: z.int(), made: z.readonly(z.string()), name: z.string(), note: z.string() })
const Update = z.strictObject({ name: z.string(), note: z.optional(z.string()) })
const body = writable(Update, Read)

const unknownKeys = (given: unknown) =>
  body
    .safeParse(given)
    .error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))

describe('writable', () => {
  it('takes back what was read and drops what cannot be written', () => {
    const read = { id: 1, made: 'then', name: 'n', note: 'x' }
    expect(body.parse(read)).toEqual({ name: 'n', note: 'x' })
    expect(read).toEqual({ id: 1, made: 'then', name: 'n', note: 'x' })
  })

  it('drops it whatever its value', () => {
    expect(body.parse({ id: 'not even an id', made: null, name: 'n' })).toEqual({ name: 'n' })
  })

  it('still checks the rest', () => {
    expect(body.safeParse({ id: 1 }).success).toBe(false)
    expect(body.safeParse({ name: 1 }).success).toBe(false)
  })

  it('refuses every unknown field by name', () => {
    expect(unknownKeys({ name: 'n', id: 1, is_admin: true, nope: 1 })).toEqual(['is_admin', 'nope'])
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'refuses %s as an own key and pollutes nothing',
    (key) => {
      const given = JSON.parse(`{"name":"n","id":1,${JSON.stringify(key)}:{"polluted":true,"note":"x"}}`)
      expect(unknownKeys(given)).toEqual([key])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
    },
  )

  it('reads no field from a prototype that the body brought', () => {
    expect(body.safeParse(JSON.parse('{"__proto__":{"name":"n"}}')).success).toBe(false)
  })

  it.each([null, undefined, 'text', 1, true, [], [{ name: 'n' }]])('refuses %j', (given) => {
    expect(body.safeParse(given).success).toBe(false)
  })

  it('is shown, and typed, as what can be written', () => {
    expect(z.toJSONSchema(body)).toEqual(z.toJSONSchema(Update))
    expect(z.toJSONSchema(body, { io: 'input' })).toEqual(z.toJSONSchema(Update, { io: 'input' }))
    expectTypeOf<z.output<typeof body>>().toEqualTypeOf<z.output<typeof Update>>()
  })

  it('takes the members of a group as they were read, and keeps their ids', () => {
    const group = { name: 'g', members: [{ id: 4, username: 'anna', is_enabled: true }, { id: 5 }] }
    expect(ServiceGroupDetailUpdate.parse(group)).toEqual({ name: 'g', members: [{ id: 4 }, { id: 5 }] })
    const spoilt = JSON.parse('{"name":"g","members":[{"id":4,"__proto__":{"x":1}}]}')
    expect(ServiceGroupDetailUpdate.safeParse(spoilt).success).toBe(false)
  })
})
