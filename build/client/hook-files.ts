import * as z from 'zod/mini'
import { hookSchemas } from '../../lib/features/hooks/hook-schemas.ts'
import { type Schema, writeFields, writeType } from './schema-types.ts'

const folder = 'lib/hooks/generated'
const notice =
  '// Generated from the schemas in lib/features/hooks/hook-schemas.ts by build/client/write-client.ts.\n\n'

/** What hooks get and answer, as JSON Schema, by the names of the published file. */
export const describeHooks = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(hookSchemas).map(([name, schema]) => {
      const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      return [name, described as Schema]
    }),
  )

/** Returns the files of `@latchkey/hooks` that depend on the schemas, by their paths. */
export const buildHookFiles = (): ReadonlyMap<string, string> => {
  const schemas = describeHooks()
  const names = [...new Set(Object.keys(schemas).map((name) => name.replace(/(?:Input|Answer)$/, '')))]
  const types = Object.entries(schemas).map(([name, schema]) => writeDeclaration(name, schema))
  const maps = (['Input', 'Answer'] as const).map(
    (end) =>
      `/** The ${end === 'Input' ? 'inputs' : 'answers'} of hooks, by the names of the hooks. */\nexport interface Hook${end}s {\n${names
        .map((name) => `  readonly ${name}: ${capitalize(name)}${end}\n`)
        .join('')}}\n`,
  )
  const hookName = '/** The name of a hook. */\nexport type HookName = keyof HookInputs\n'
  const tables = (['Input', 'Answer'] as const).map(
    (end) =>
      `export const ${end.toLowerCase()}Schemas: Readonly<Record<HookName, HookSchema>> = ${JSON.stringify(
        Object.fromEntries(names.map((name) => [name, schemas[`${name}${end}`]])),
        null,
        2,
      )}\n`,
  )
  const imports =
    "import type { HookSchema } from '../find-problems.ts'\nimport type { HookName } from './hook-types.ts'\n"
  return new Map([
    [`${folder}/hook-types.ts`, notice + [...types, ...maps, hookName].join('\n')],
    [`${folder}/schemas.ts`, notice + [imports, ...tables].join('\n')],
  ])
}

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Writes the type of an input or an answer. An input may get more fields later, so nothing here forbids them. */
const writeDeclaration = (name: string, schema: Schema): string => {
  const isAnswer = name.endsWith('Answer')
  const text = `/** ${isAnswer ? 'What the hook answers' : 'What the hook gets'}: \`${name.replace(/(?:Input|Answer)$/, '')}\`. */\n`
  const direction = isAnswer ? 'request' : 'response'
  const type = capitalize(name)
  const model = (one: string): string => one
  return schema.properties
    ? `${text}export interface ${type} {\n${writeFields(schema, direction, model)}}\n`
    : `${text}export type ${type} = ${writeType(schema, direction, model)}\n`
}
