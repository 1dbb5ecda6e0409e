import { describe, expect, it } from 'vitest'
import { documentShape, entries } from '../../lib/features/configuration/document.models.ts'
import { seedEntries } from '../../lib/features/configuration/seed.models.ts'
import { listNames } from '../../lib/kernel/util/object-fields.ts'
import { buildConfigurationSchema, nameEntry } from '../../lib/open-api/configuration-schema.ts'

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $defs?: Readonly<Record<string, Schema>>
}

const { $defs = {}, ...file } = buildConfigurationSchema() as Schema
const references = [...JSON.stringify({ file, $defs }).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(
  ([, name]) => name,
)

describe('the schema of configuration files', () => {
  it('has every part that it refers to, and no others', () => {
    expect([...new Set(references)].sort()).toEqual(Object.keys($defs).sort())
  })

  it('has each field of a file and of its entries, with a text', () => {
    expect(Object.keys(file.properties ?? {})).toEqual(Object.keys(documentShape))
    for (const kind of listNames(entries))
      expect(Object.keys($defs[nameEntry(kind)]?.properties ?? {})).toEqual(
        Object.keys(entries[kind].def.shape),
      )
    for (const kind of listNames(seedEntries))
      expect(Object.keys($defs[nameEntry(kind, 'Seed')]?.properties ?? {})).toEqual(
        Object.keys(seedEntries[kind].def.shape),
      )
    const named = Object.entries({ file, ...$defs }).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(
        ([field, { description }]) => [`${name}.${field}`, description] as const,
      ),
    )
    expect(named.filter(([, text]) => !text)).toEqual([])
  })
})
