import * as z from 'zod/mini'
import {
  documentShape,
  documentTexts,
  entries,
  entryDescriptions,
  entryModels,
  entryTexts,
} from '../features/configuration/document.models.ts'
import { models } from '../features/models.ts'
import { chosenIdForm } from '../features/oauth/clients.models.ts'
import { findModelText } from '../kernel/contract/describe.ts'
import type { ManagedKind } from '../kernel/contract/managed-kinds.ts'
import { listNames, readOwn } from '../kernel/util/object-fields.ts'
import { describeFields, finish, type JsonSchema } from './schemas.ts'

const place = '#/$defs/'
/** The name of the schema of whole files. */
export const configurationName = 'LatchkeyConfig'

/** `oidc_connection` becomes `OidcConnectionConfig`. */
export const nameEntry = (kind: ManagedKind): string =>
  `${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Config`

/** Builds the schema of a configuration file and of all parts that it refers to, by their names. Each has the texts of the API. */
export const buildConfigurationSchemas = (): ReadonlyMap<string, JsonSchema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, model] of models) registry.add(model, { id })
  const kinds = listNames(entries)
  for (const kind of kinds) registry.add(entries[kind], { id: nameEntry(kind) })
  registry.add(z.strictObject(documentShape), { id: configurationName })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `${place}${id}`,
  })
  const built = new Map(Object.entries(schemas).map(([name, schema]) => [name, finish(schema)]))
  const describeEntry = (kind: ManagedKind): JsonSchema => {
    const { description = '', fields = {} } = findModelText(entryModels[kind]) ?? {}
    const ownDescription: string | undefined = readOwn<string>(entryDescriptions, kind)
    const own = { ...fields, ...entryTexts.all, ...readOwn<object>(entryTexts, kind) }
    return describeFields(built.get(nameEntry(kind)) ?? {}, {
      ...{ fields: own, example: undefined },
      description: ownDescription ?? description,
    })
  }
  const described = new Map([
    ...[...models].map(([name, model]): [string, JsonSchema] => [
      name,
      describeFields(built.get(name) ?? {}, findModelText(model)),
    ]),
    ...kinds.map((kind): [string, JsonSchema] => [nameEntry(kind), describeEntry(kind)]),
    [
      configurationName,
      describeFields(limitKeys(built.get(configurationName) ?? {}), documentTexts),
    ] as const,
  ])
  const used = new Set([configurationName])
  for (const name of used) for (const other of listReferences(described.get(name))) used.add(other)
  return new Map([...used].map((name) => [name, described.get(name) ?? {}]))
}

/** Adds the form of keys, which another check of files explains in words. */
const limitKeys = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
      ([name, property]) => [
        name,
        property['propertyNames']
          ? { ...property, propertyNames: { pattern: chosenIdForm.source } }
          : property,
      ],
    ),
  ),
})

const listReferences = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { $ref, examples: _, ...parts } = value as JsonSchema
  const own = typeof $ref === 'string' ? [$ref.slice(place.length)] : []
  return [...own, ...Object.values(parts).flatMap(listReferences)]
}

/** Builds the schema of configuration files as one document (JSON Schema 2020-12), for editors. */
export const buildConfigurationSchema = (): JsonSchema => {
  const [, ...others] = buildConfigurationSchemas()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Latchkey',
    ...buildConfigurationSchemas().get(configurationName),
    $defs: Object.fromEntries(others),
  }
}
