import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/*
 * Every imported package is declared, so an install that gives each package only its own dependencies works too
 * (`npm i --install-strategy=linked`).
 */

const manifest: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync('package.json', 'utf8'),
)
const production = Object.keys(manifest['dependencies'] ?? {})
const declared = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((section) =>
  Object.keys(manifest[section] ?? {}),
)

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const specifierPattern =
  /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^'.][^']*)'|\b(?:import|require(?:\.resolve)?)\('([^'.][^']*)'\)/gm

interface PackageImport {
  readonly file: string
  readonly name: string
  readonly isTypeOnly: boolean
}

const packageImports = (folder: string): PackageImport[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const file = join(folder, path)
      return [...readFileSync(file, 'utf8').matchAll(specifierPattern)]
        .map(([, type, imported, loaded]) => ({
          specifier: imported ?? loaded ?? '',
          isTypeOnly: Boolean(type),
        }))
        .filter(({ specifier }) => !isBuiltin(specifier))
        .map(({ specifier, isTypeOnly }) => ({ file, name: packageOf(specifier), isTypeOnly }))
    })

const isDeclared = ({ name, isTypeOnly }: PackageImport): boolean =>
  declared.includes(name) || (isTypeOnly && declared.includes(`@types/${name}`))

describe('package.json', () => {
  it.each(['functions', 'infra', 'lib', 'test'])('declares every package that %s imports', (folder) => {
    const imports = packageImports(folder)
    expect(imports).not.toEqual([])
    expect(imports.filter((one) => !isDeclared(one))).toEqual([])
  })

  it.each(['functions', 'lib'])('declares what %s loads at run time as a production dependency', (folder) => {
    const loaded = packageImports(folder).filter(({ isTypeOnly }) => !isTypeOnly)
    expect(loaded.filter(({ name }) => !production.includes(name))).toEqual([])
  })

  it('pins every version', () => {
    const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((section) =>
      Object.entries(manifest[section] ?? {}),
    )
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})

describe('package-lock.json', () => {
  it('names no registry host', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved": "http')
  })
})
