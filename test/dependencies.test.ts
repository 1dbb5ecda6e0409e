import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages } from '../build/package/packages.ts'
import { sourceFolders } from './support/floors.ts'
import { listSources, parseSpecifiers } from './support/import-graph.ts'

/*
 * Every imported package is declared, so an install that gives each package only its own dependencies works too
 * (`npm i --install-strategy=linked`).
 */

type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const listDependencies = (manifest: Manifest): readonly [name: string, version: string][] =>
  ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((section) =>
    Object.entries(manifest[section] ?? {}),
  )

/** Packages inside of this one, whose dependencies are installed only for their tests. */
const generatedClients = 'test/generated-clients'
const publishedClients = 'test/clients'
const openApiLinters = 'test/open-api-linters'
const releaseTools = 'test/releases'
/** The library of the bills of materials. */
const sbomTools = 'build/sbom'
/** The same, with a simulator of IAM whose license is that of no other part. */
const iamSimulation = 'test/iam-simulation'
/** Its packages are those that the test packs. */
const packedProject = 'test/package/app'
/** Code with the libraries of relying parties, which a package around it declares. */
const relyingParties = 'test/relying-parties'
const parties = `${relyingParties}/parties`
/** Other services that the benchmark measures, installed on demand. */
const benchmarkPeers = 'bench/peers'
/** A product of its own, which has the packages from files. */
const exampleProduct = 'examples/product'
const exampleHooks = 'examples/hooks'
/** Those that `build/install-tools.ts` installs for a suite. */
const ownInstalls = [
  generatedClients,
  publishedClients,
  openApiLinters,
  releaseTools,
  sbomTools,
  iamSimulation,
  relyingParties,
]
const manifest = readManifest('.')
const production = Object.keys(manifest['dependencies'] ?? {})

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
  execFileSync('git', ['ls-files', `${folder}/**/*.ts`, `${folder}/*.ts`], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '')
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(specifierPattern)]
        .map(([, type, imported, loaded]) => ({
          specifier: imported ?? loaded ?? '',
          isTypeOnly: Boolean(type),
        }))
        .filter(({ specifier }) => !isBuiltin(specifier))
        .map(({ specifier, isTypeOnly }) => ({ file, name: packageOf(specifier), isTypeOnly })),
    )

const findUndeclared = (imports: readonly PackageImport[], manifest: Manifest) => {
  const declared = listDependencies(manifest).map(([name]) => name)
  return imports.filter(
    ({ name, isTypeOnly }) =>
      !declared.includes(name) && !(isTypeOnly && declared.includes(`@types/${name}`)),
  )
}

describe('package.json', () => {
  // Functions name use cases, and import no package.
  it.each([...sourceFolders.filter((folder) => folder !== 'functions'), 'bench', 'test'])(
    'declares every package that %s imports',
    (folder) => {
      const imports = packageImports(folder).filter(
        ({ file }) =>
          ![
            generatedClients,
            publishedClients,
            openApiLinters,
            parties,
            benchmarkPeers,
            packedProject,
            sbomTools,
          ].some((inner) => file.startsWith(`${inner}/`)),
      )
      expect(imports).not.toEqual([])
      expect(findUndeclared(imports, manifest)).toEqual([])
    },
  )

  it('declares what lib loads at run time as a production dependency', () => {
    expect(packageImports('functions')).toEqual([])
    const loaded = packageImports('lib').filter(({ isTypeOnly }) => !isTypeOnly)
    expect(loaded.filter(({ name }) => !production.includes(name))).toEqual([])
  })

  it.each(['.', ...ownInstalls, benchmarkPeers, exampleProduct, exampleHooks])(
    'pins every version in %s',
    (folder) => {
      const versions = listDependencies(readManifest(folder)).filter(
        ([, version]) => !version.startsWith('file:'),
      )
      expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    },
  )
})

describe('the package.json of the peers', () => {
  it('shares no lock with this project', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const installed = new Set(Object.keys(packages))
    const peers = listDependencies(readManifest(benchmarkPeers)).map(([name]) => name)
    expect(peers).not.toEqual([])
    expect(peers.filter((name) => installed.has(`node_modules/${name}`))).toEqual([])
    expect(readManifest('.')).not.toHaveProperty('workspaces')
  })
})

describe('the folder of the peers', () => {
  it('is left out by the types and the style of this project', () => {
    for (const file of ['tsconfig.json', 'biome.json'])
      expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`"!?${benchmarkPeers}"`))
  })

  it('is imported by no other file', () => {
    const folders = ['bench', 'test'].flatMap(listSources)
    const others = folders.filter((file) => !file.startsWith(`${benchmarkPeers}/`))
    const isPeer = (file: string, specifier: string): boolean =>
      join(dirname(file), specifier).startsWith(`${benchmarkPeers}/`)
    expect(others.length).toBeGreaterThan(500)
    expect(
      others.filter((file) =>
        parseSpecifiers(readFileSync(file, 'utf8')).some((specifier) => isPeer(file, specifier)),
      ),
    ).toEqual([])
  })
})

describe.each([generatedClients, publishedClients, openApiLinters, sbomTools])(
  'the package.json in %s',
  (folder) => {
    it('declares every package that its files import', () => {
      // The runner and its files belong to this package.
      const imports = packageImports(folder).filter(({ name }) => name !== 'vitest')
      expect(imports).not.toEqual([])
      expect(findUndeclared(imports, readManifest(folder))).toEqual([])
    })
  },
)

describe('the package.json of relying parties', () => {
  it('declares every package that they import', () => {
    const imports = packageImports(parties)
    expect(imports).not.toEqual([])
    expect(findUndeclared(imports, readManifest(relyingParties))).toEqual([])
  })
})

describe.each([exampleProduct, exampleHooks])('the package.json in %s', (example) => {
  it('declares every package that it imports', () => {
    const imports = packageImports(example)
    expect(imports).not.toEqual([])
    expect(findUndeclared(imports, readManifest(example))).toEqual([])
  })

  it('takes Latchkey from files, which the lock does not pin', () => {
    const lock = JSON.parse(readFileSync(join(example, 'package-lock.json'), 'utf8'))
    const names = listDependencies(readManifest(example)).map(([name]) => name)
    const used = Object.values(packages).filter(({ name }) => names.includes(name))
    expect(used.length).toBeGreaterThan(2)
    for (const { folder, name } of used) {
      expect(lock.packages[`node_modules/${name}`]).toMatchObject({ resolved: `file:${folder}.tgz` })
      expect(lock.packages[`node_modules/${name}`]).not.toHaveProperty('integrity')
    }
  })
})

describe('package-lock.json', () => {
  it.each(['.', ...ownInstalls, 'test/package', benchmarkPeers, exampleProduct, exampleHooks])(
    'names no registry host in %s',
    (folder) => {
      expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http')
    },
  )
})
