import type { JsonSchema } from './json-schema.ts'

const prefix = '#/components/schemas/'

/** Returns the schemas that the rest of the document refers to, directly or through other schemas. */
export const pruneSchemas = (
  schemas: Readonly<Record<string, JsonSchema>>,
  rest: unknown,
): Readonly<Record<string, JsonSchema>> => {
  const used = new Set(listReferences(rest))
  // Iterating over a set includes the elements added during the loop.
  for (const name of used) for (const inner of listReferences(schemas[name])) used.add(inner)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

const listReferences = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === '$ref' && typeof part === 'string' && part.startsWith(prefix)
      ? [part.slice(prefix.length)]
      : listReferences(part),
  )
}
