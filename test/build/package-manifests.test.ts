import { describe, expect, it } from 'vitest'
import { type PackageDefinition, packages, toManifest } from '../../build/package/packages.ts'

const definitions: readonly PackageDefinition[] = Object.values(packages)

describe.each(definitions)('the package.json of $name', (definition) => {
  const manifest = JSON.parse(JSON.stringify(toManifest(definition)))

  it('names code and types for compilers that read no exports, as TypeScript 5 with CommonJS', () => {
    const { default: main, types } = manifest.exports['.'].require
    expect([manifest.main, manifest.types]).toEqual([main, types])
    expect([main, types]).toEqual([
      expect.stringMatching(/^\.\/.+\.cjs$/),
      expect.stringMatching(/^\.\/types\/.+\.d\.cts$/),
    ])
  })
})
