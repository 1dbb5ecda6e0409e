import * as z from 'zod/mini'
import type { Operation, OperationText } from '../contract/operation.ts'
import { clientAddressHeader, clientAddressPermission } from '../contract/product.ts'
import { paging } from '../contract/query.ts'
import type { JsonSchema } from './json-schema.ts'
import { buildParameters, readFieldText } from './schemas.ts'

type Texts = OperationText['parameters']

/** Describes the parameters of the path, the query and the headers of an operation. */
export const describeParameters = (op: Operation, texts: Texts = {}): readonly JsonSchema[] => [
  ...describePathParameters(op.path, texts),
  ...describeQueryParameters(op, texts),
  ...(op.acceptsProduct ? [{ $ref: '#/components/parameters/ClientAddress' }] : []),
]

/** The parameters that several operations share, by the names that `describeParameters` refers to. */
export const buildSharedParameters = (): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries([...pagingNames].map(([name, shared]) => [shared, describePagingParameter(name)])),
  ClientAddress: {
    name: clientAddressHeader,
    in: 'header',
    description: `The address of the end user, named by the server of a product. Requires an API token with the scope \`${clientAddressPermission}\`.`,
    schema: { type: 'string' },
    example: '203.0.113.7',
  },
})

const pagingNames = new Map<string, string>(
  Object.entries({ limit: 'Limit', offset: 'Offset', cursor: 'Cursor' }),
)
const pagingExamples = new Map<string, unknown>(Object.entries({ limit: 50, offset: 100 }))

const describePagingParameter = (name: string): JsonSchema => {
  const { description, ...schema } = buildParameters(z.object(paging))[name] ?? {}
  return {
    name,
    in: 'query',
    description,
    schema,
    ...(pagingExamples.has(name) ? { example: pagingExamples.get(name) } : {}),
  }
}

const describePathParameters = (path: string, texts: Texts): readonly JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...readFieldText(texts[name]),
    schema: /^(\w+_)?id$/.test(name)
      ? { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 }
      : { type: 'string' },
  }))

/** No parameter is required, which a test checks. Parameters that are declared only to be rejected are left out. */
const describeQueryParameters = ({ query }: Operation, texts: Texts): readonly JsonSchema[] => {
  const parameters = query ? buildParameters(query) : {}
  // The profile takes some of the parameters of a list, but is none.
  const isList = 'cursor' in parameters
  return Object.entries(parameters)
    .filter(([, schema]) => !('not' in schema))
    .map(
      ([name, schema]) =>
        (isList ? describeListParameter(name, schema) : undefined) ??
        describeQueryParameter(name, schema, texts),
    )
}

const describeListParameter = (
  name: string,
  { description: _, ...schema }: JsonSchema,
): JsonSchema | undefined => {
  const shared = pagingNames.get(name)
  if (shared !== undefined) return { $ref: `#/components/parameters/${shared}` }
  return name === 'ordering' ? { name, in: 'query', description: orderingText, schema } : undefined
}

const describeQueryParameter = (
  name: string,
  { description, ...schema }: JsonSchema,
  texts: Texts,
): JsonSchema => {
  const own = description === undefined ? {} : { description }
  const { example, ...text } = readFieldText(texts[name])
  const shown = example === undefined ? {} : { example: toExample(schema, example) }
  return { name, in: 'query', ...own, ...text, ...shown, schema }
}

/** Texts show values as they stand in a URL. An example has the type of its schema. */
const toExample = ({ type }: JsonSchema, example: unknown): unknown =>
  typeof example === 'string' && (type === 'boolean' || type === 'integer') ? JSON.parse(example) : example

const orderingText =
  'The field to order the list by. A `-` before the field reverses the order. Entries that are equal in this field are ordered by `id`.'
