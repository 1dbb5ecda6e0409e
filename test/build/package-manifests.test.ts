import { describe, expect, it } from 'vitest'
import { type PackageDefinition, packages, toManifest } from '../../build/package/packages.ts'
import { findMissingFacts } from '../../build/release/owner.ts'

const owner = {
  repository: 'https://git.example.com/owner/latchkey',
  securityContact: 'mailto:security@example.com',
}

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

  it('names the repository as soon as the owner states it, for trusted publishing and for people', () => {
    expect(toManifest(definition, owner)).toMatchObject({
      repository: { type: 'git', url: 'git+https://git.example.com/owner/latchkey.git' },
      bugs: { url: 'https://git.example.com/owner/latchkey/issues' },
      homepage: 'https://git.example.com/owner/latchkey#readme',
    })
    expect(toManifest(definition, { ...owner, repository: undefined })).not.toHaveProperty('repository')
  })

  it('lists the files that the package may have, and what searches find', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['types', 'THIRD-PARTY-LICENSES.txt']))
    expect(manifest.keywords).toEqual(expect.arrayContaining(['latchkey', 'authentication']))
    expect(manifest.engines).toEqual({ node: expect.stringMatching(/^>=\d/) })
  })

  it('lets only scoped packages state that they are public, and none that it has provenance', () => {
    const isScoped = definition.name.startsWith('@')
    expect(manifest.publishConfig).toEqual(isScoped ? { access: 'public' } : undefined)
  })
})

describe('what the owner states', () => {
  it('lacks nothing if both facts are addresses', () => {
    expect(findMissingFacts(owner)).toEqual([])
  })

  it.each([
    ['repository', undefined],
    ['repository', 'git@git.example.com:owner/latchkey.git'],
    ['securityContact', undefined],
    ['securityContact', 'security@example.com'],
  ])('lacks %s if it is %s', (name, value) => {
    const missing = findMissingFacts({ ...owner, [name]: value })
    expect(missing).toEqual([expect.stringContaining(`\`${name}\` in build/release/owner.ts`)])
  })
})
