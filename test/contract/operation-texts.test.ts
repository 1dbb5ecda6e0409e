import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { models } from '../../lib/features/models.ts'
import { findOperationText, operations } from '../../lib/features/operations.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { auditEvents } from '../../lib/kernel/contract/audit-events.ts'
import type { Example } from '../../lib/kernel/contract/describe.ts'
import type { Schema } from '../../lib/kernel/contract/operation.ts'
import { permissions } from '../../lib/kernel/contract/permissions.ts'
import { scopes } from '../../lib/kernel/contract/scopes.ts'
import { reasons } from '../../lib/kernel/errors/reasons.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { guide } from '../../lib/open-api/guide.ts'
import { tagTexts } from '../../lib/open-api/tag-texts.ts'
import { checkAll } from '../support/check-all.ts'

const described = operations.map((op) => [op.id, op, findOperationText(op.id)] as const)

/** All prose of the document, apart from models, with the name of its place. */
const texts: readonly (readonly [place: string, text: string])[] = [
  ['guide', guide],
  ...Object.entries(tagTexts).map(([group, { description }]) => [group, description] as const),
  ...described.flatMap(([id, , text]) => [
    [id, text?.description ?? ''] as const,
    ...Object.entries(text?.parameters ?? {}).map(
      ([name, field]) => [`${id} ${name}`, typeof field === 'string' ? field : field.description] as const,
    ),
  ]),
]

const withoutCode = (text: string): string => text.replaceAll(/```.*?```/gs, '')

describe('the texts of the document', () => {
  it('are complete', () => {
    expect(described.filter(([, , text]) => text === undefined).map(([id]) => id)).toEqual([])
    expect(texts.filter(([, text]) => !/[.|]$/.test(text.trim())).map(([place]) => place)).toEqual([])
  })

  it('name only operations, fields, codes, reasons and parameters that exist', () => {
    const fields = [...models].flatMap(([, model]) => Object.keys(readShape(model)))
    const parameters = operations.flatMap(({ query }) => Object.keys(query ? readShape(query) : {}))
    const ids = operations.map(({ id }) => id)
    const known = new Set([...fields, ...parameters, ...ids, ...Object.keys(problemKinds), ...reasons.keys()])
    known.add('authorization_pending').add('slow_down').add('access_denied').add('expired_token')
    known.add('form_post').add('login_required').add('offline_access').add('select_account')
    known.add('access_link').add('access_token').add('request_id').add('second_factor_token')
    const unknown = texts.flatMap(([place, text]) =>
      [...withoutCode(text).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)]
        .filter(([, name = '']) => !known.has(name))
        .map(([, name]) => `${place}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('name only audit events, permissions and scopes that exist', () => {
    const known = { ...auditEvents, ...permissions, ...scopes }
    const unknown = texts.flatMap(([place, text]) =>
      [...text.matchAll(/`([a-z_]+\.[a-z_]+|[a-z-]+:[a-z-]+)`/g)]
        .filter(([, name = '']) => !Object.hasOwn(known, name) && name !== 'word:word')
        .map(([, name]) => `${place}: ${name}`),
    )
    expect(unknown).toEqual([])
  })
})

/** The fields of an object schema. Empty for any other schema. */
function readShape(schema: Schema): object {
  const { def } = schema as z.ZodMiniObject
  return 'shape' in def ? def.shape : {}
}

describe('the examples of all operations', () => {
  const parse = (schema: unknown, { value }: Example) => {
    const sent: unknown = JSON.parse(JSON.stringify(value))
    expect(sent).toStrictEqual(value)
    return z.safeParse(schema as z.ZodMiniType, sent).error?.issues ?? []
  }

  it('are requests that the operation accepts', () => {
    checkAll(described, (_, op, text) => {
      expect(text?.request === undefined).toBe(op.body === undefined)
      for (const example of text?.request ?? []) expect(parse(op.body, example), example.summary).toEqual([])
    })
  })

  it('are responses that the operation can send', () => {
    checkAll(described, (_, op, text) => {
      for (const [status, examples] of Object.entries(text?.responses ?? {}))
        for (const example of examples ?? []) {
          const schema = op.responses[Number(status)]
          const issues = typeof schema === 'string' ? [] : parse(schema, example)
          expect(issues, example.summary).toEqual([])
        }
    })
  })

  it('are parameters that the operation accepts', () => {
    checkAll(described, (_, op, text) => {
      const examples = Object.entries(text?.parameters ?? {}).flatMap(([name, field]) =>
        typeof field === 'string' || field.example === undefined || op.path.includes(`{${name}}`)
          ? []
          : [[name, String(field.example)]],
      )
      const query: unknown = Object.fromEntries(examples)
      if (op.query) expect(z.safeParse(op.query, query).error?.issues ?? []).toEqual([])
    })
  })

  it('have different names', () => {
    checkAll(described, (_, __, text) => {
      for (const examples of [text?.request, ...Object.values(text?.responses ?? {})]) {
        const names = (examples ?? []).map(({ summary }) => summary)
        expect(new Set(names).size).toBe(names.length)
      }
    })
  })

  it('contain only credentials with the form of real ones and a wrong checksum', () => {
    checkAll(described, (_, __, text) => {
      const values = JSON.stringify([text?.request, text?.responses, text?.parameters])
      for (const value of values.match(/lk[a-z]_\w+/g) ?? []) {
        expect(value).toMatch(/^lk[spgtrafncoiuxjm]_[0-9A-Za-z]{45}$/)
        expect(parseCredential(value)).toBeUndefined()
      }
    })
  })
})
