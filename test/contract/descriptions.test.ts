import { describe, expect, it } from 'vitest'
import { models } from '../../lib/features/models.ts'
import { type AnyModelText, type FieldText, findModelText } from '../../lib/kernel/contract/describe.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { checkAll } from '../support/check-all.ts'

const named = [...models].flatMap(([name, model]) => {
  const text = findModelText(model)
  return text ? [[name, { model, ...text }] as const] : []
})

const listTexts = ({ description, fields }: AnyModelText): readonly (readonly [string, string])[] => [
  ['description', description],
  ...Object.entries<FieldText>(fields).map(
    ([name, text]) => [name, typeof text === 'string' ? text : text.description] as const,
  ),
]

/** Every text in a JSON value, and every object with the path to it. */
const walk = function* (value: unknown, path = ''): Generator<{ path: string; value: unknown }> {
  yield { path, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value))
    yield* walk(item, Array.isArray(value) ? path : path === '' ? key : `${path}.${key}`)
}

describe('every model', () => {
  it('has an example that is valid as JSON', () => {
    checkAll(named, (_, { model, example }) => {
      const sent: unknown = JSON.parse(JSON.stringify(example))
      expect(sent).toStrictEqual(example)
      const parsed: unknown = model.parse(sent)
      expect(JSON.parse(JSON.stringify(parsed))).toStrictEqual(parsed)
    })
  })

  it('describes itself and each of its fields in whole sentences', () => {
    checkAll(named, (_, text) => {
      for (const [field, sentence] of listTexts(text)) {
        expect(sentence, field).toMatch(/^[A-Z0-9`].*\.$/)
        expect(sentence, field).not.toMatch(/ {2}|\n|\.\.(?!`)/)
        expect(sentence.split(' ').length, `${field}: ${sentence}`).toBeGreaterThanOrEqual(3)
      }
    })
  })

  it('has no sentence that is too long to read', () => {
    checkAll(named, (_, text) => {
      const sentences = listTexts(text).flatMap(([field, described]) =>
        described.split(/(?<=[.:]) /).map((sentence) => `${field}: ${sentence}`),
      )
      expect(sentences.filter((sentence) => sentence.split(' ').length > 24)).toEqual([])
    })
  })
})

it('describe each model with a name', () => {
  expect([...models].filter(([, model]) => !findModelText(model)).map(([name]) => name)).toEqual([])
})

describe('the examples of all models', () => {
  const values = named.flatMap(([name, { example }]) =>
    [...walk(example)].map((found) => ({ name, ...found })),
  )

  /** What an ID stands for, by the last field of its path. */
  const knownIds: Readonly<Record<string, readonly number[]>> = {
    user: [7, 15, 18],
    groups: [3],
    members: [7],
    actor: [1, 7],
    user_template: [4],
    access_token: [5],
    is_temporary_for_token: [5],
    root: [2],
  }

  it('refer to the same objects by the same IDs', () => {
    const wrong = values.filter(({ path, value }) => {
      const known = knownIds[path.split('.').at(-1) ?? '']
      return typeof value === 'number' && known !== undefined && !known.includes(value)
    })
    expect(wrong).toEqual([])
  })

  it('show every user with the same ID, username and address', () => {
    const people = values
      .map(({ value }) => value as { id?: number; username?: string; email?: string | null } | null)
      .filter((value) => typeof value === 'object' && typeof value?.username === 'string' && 'id' in value)
      .map((person) => [person?.username, person?.id])
    const expected: Readonly<Record<string, number>> = { ada: 7, admin: 1, 'guest-5f0c1d9e4b7a2f6830': 15 }
    expect(people.filter(([username, id]) => expected[String(username)] !== id)).toEqual([])
    expect(people.length).toBeGreaterThan(3)
  })

  it('contain only credentials with the form of real ones and a wrong checksum', () => {
    const credentials = values.flatMap(({ value }) =>
      typeof value === 'string' ? (value.match(/lk[a-z]_\w+/g) ?? []) : [],
    )
    expect(credentials.filter((value) => !/^lk[spgtrafncoiuxjm]_[0-9A-Za-z]{45}$/.test(value))).toEqual([])
    expect(credentials.filter((value) => parseCredential(value) !== undefined)).toEqual([])
    expect(credentials.length).toBeGreaterThan(1)
  })

  it('have times in 2026 and 2027', () => {
    const times = values.flatMap(({ value }) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [],
    )
    expect(times.filter((time) => !/^202[67]-/.test(time))).toEqual([])
  })
})
