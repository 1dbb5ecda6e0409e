import * as z from 'zod/mini'
import {
  documentShape,
  documentTexts,
  entries,
  entryDescriptions,
  entryModels,
  entryTexts,
} from '../features/configuration/document.models.ts'
import {
  localHooks,
  localHooksText,
  signInHook,
  signInHookText,
  tokenHook,
  tokenHookText,
} from '../features/configuration/hooks.models.ts'
import {
  type SeedKind,
  seed,
  seedDescriptions,
  seedEntries,
  seedModels,
  seedText,
  seedTexts,
} from '../features/configuration/seed.models.ts'
import { models } from '../features/models.ts'
import { chosenIdForm } from '../features/oauth/clients.models.ts'
import { type AnyModelText, findModelText } from '../kernel/contract/describe.ts'
import type { ManagedKind } from '../kernel/contract/managed-kinds.ts'
import { listNames, readOwn } from '../kernel/util/object-fields.ts'
import { describeFields, finish, type JsonSchema } from './schemas.ts'

const place = '#/$defs/'
/** The name of the schema of whole files. */
export const configurationName = 'LatchkeyConfig'

/** `oidc_connection` becomes `OidcConnectionConfig`, and `user` of the seed becomes `UserSeed`. */
export const nameEntry = (kind: ManagedKind | SeedKind, end: 'Config' | 'Seed' = 'Config'): string =>
  `${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}${end}`

interface Part {
  readonly name: string
  readonly model: z.ZodMiniType
  readonly text: AnyModelText | undefined
}

/** The text of an entry: that of the model whose fields it has, and its own. */
const textOf = (
  base: z.ZodMiniType,
  description: string | undefined,
  fields: AnyModelText['fields'],
): AnyModelText => {
  const text = findModelText(base)
  return {
    description: description ?? text?.description ?? '',
    fields: { ...text?.fields, ...fields },
    example: undefined,
  }
}

const listParts = (): readonly Part[] => [
  ...[...models].map(([name, model]) => ({ name, model, text: findModelText(model) })),
  ...listNames(entries).map((kind) => ({
    name: nameEntry(kind),
    model: entries[kind],
    text: textOf(entryModels[kind], readOwn<string>(entryDescriptions, kind), {
      ...entryTexts.all,
      ...readOwn<object>(entryTexts, kind),
    }),
  })),
  ...listNames(seedEntries).map((kind) => ({
    name: nameEntry(kind, 'Seed'),
    model: seedEntries[kind],
    text: textOf(seedModels[kind], seedDescriptions[kind], seedTexts[kind]),
  })),
  { name: 'Seed', model: seed, text: seedText },
  { name: 'SignInHook', model: signInHook, text: signInHookText },
  { name: 'TokenHook', model: tokenHook, text: tokenHookText },
  { name: 'LocalHooks', model: localHooks, text: localHooksText },
  { name: configurationName, model: z.strictObject(documentShape), text: documentTexts },
]

/** Builds the schema of a configuration file and of all parts that it refers to, by their names. Each has the texts of the API. */
export const buildConfigurationSchemas = (): ReadonlyMap<string, JsonSchema> => {
  const registry = z.registry<{ id: string }>()
  const parts = listParts()
  for (const { name, model } of parts) registry.add(model, { id: name })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `${place}${id}`,
  })
  const described = new Map(
    parts.map(({ name, text }) => [name, describeFields(limitKeys(finish(schemas[name] ?? {})), text)]),
  )
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
  const { [configurationName]: file, ...parts } = Object.fromEntries(buildConfigurationSchemas())
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Latchkey',
    ...file,
    $defs: parts,
  }
}
