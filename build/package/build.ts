import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { app } from '../../lib/features/pages/app-build.prebuilt.ts'
import { bundleFunctions, functionNames } from '../bundle/bundle.ts'
import { builtins } from '../bundle/bundle-builtins.ts'
import { modelNames, prebuiltModules } from '../bundle/bundle-plugins.ts'
import { writeClient } from '../client/write-client.ts'
import { type Component, formatLicenses, listComponents } from './components.ts'
import { oldestNode, type PackageDefinition, packages, toManifest } from './packages.ts'

interface TypesRequest {
  /** The source, without its extension. */
  readonly entry: string
  readonly outdir: string
}

/** Writes the type declarations of entries, for ES modules (`.d.ts`) and for CommonJS (`.d.cts`). */
const writeTypes = (root: string, requests: readonly TypesRequest[]): void => {
  const emitted = mkdtempSync(join(tmpdir(), 'latchkey-types-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', join(root, 'build/package'), '--outDir', emitted], {
      stdio: 'inherit',
    })
    for (const { entry, outdir } of requests) copyReachable(emitted, entry, outdir)
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/**
 * Copies the declarations of an entry and of all modules that they mention. The compiler also describes modules that no type
 * of an entry mentions. The package does not contain those.
 */
const copyReachable = (emitted: string, entry: string, outdir: string): void => {
  const readModule = (module: string): string => readFileSync(join(emitted, `${module}.d.ts`), 'utf8')
  const modules = new Set([entry])
  // Iterating over a set includes the elements added during the loop.
  for (const module of modules) {
    const text = readModule(module)
    const resolve = (path: string): string => join(dirname(module), path)
    for (const [, , path = ''] of text.matchAll(relativeImport)) modules.add(resolve(path))
    mkdirSync(join(outdir, dirname(module)), { recursive: true })
    const toCommonJs = text.replaceAll(relativeImport, '$1$2.cjs')
    writeFileSync(join(outdir, `${module}.d.cts`), toCommonJs)
    if (hasTypesOnly(text)) continue
    const toEsm = text.replaceAll(
      relativeImport,
      (_, start: string, path: string) =>
        `${start}${path}${hasTypesOnly(readModule(resolve(path))) ? '.cjs' : '.js'}`,
    )
    writeFileSync(join(outdir, `${module}.d.ts`), toEsm)
  }
}

/** Whether a module has no values. Both kinds of modules then share one file, because it exists for the compiler alone. */
const hasTypesOnly = (text: string): boolean => !/^(?:export )?declare |^export (?:\{|\*|default)/m.test(text)

const relativeImport = /((?:from |import\()['"])(\.{1,2}\/[^'"]*)\.[jt]s(?=['"])/g

/* Writes the packages that products install to the folder `dist`, each in a folder of its own: `npm run build:package`. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folderOf = ({ folder }: PackageDefinition): string => join(root, 'dist', folder)

interface Built {
  readonly metafile?: Metafile | undefined
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: `node${oldestNode}`,
  mainFields: ['module', 'main'],
  plugins: [builtins, prebuiltModules],
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions

const parseUrl = 'build/package/parse-url.ts'
const esm: BuildOptions = { format: 'esm', define: { 'URL.parse': 'parseUrl' }, inject: [parseUrl] }
const commonJs: BuildOptions = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'URL.parse': 'parseUrl', 'import.meta.url': 'importMetaUrl' },
  inject: [parseUrl, 'build/package/import-meta-url.ts'],
}
/** For browsers too. The build fails if the code imports a module of Node.js. */
const portable: BuildOptions = { platform: 'neutral', target: 'es2022', plugins: [], define: {}, inject: [] }

/** Builds the entry of a package in a format. */
const buildEntry = (definition: PackageDefinition, ...options: readonly BuildOptions[]): Promise<Built> => {
  const { entry, out } = definition
  const { dependencies, peerDependencies }: Record<string, object> = { ...definition.fields(() => '') }
  return build({
    ...common,
    entryPoints: [{ in: `${entry}.ts`, out }],
    outdir: folderOf(definition),
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    ...Object.assign({}, ...options),
  })
}

const pageCall = "res.sendFile(path_1.default.join(__dirname, '../static/index.html'))"

/**
 * Puts the page that shows emails into the code of the mail endpoint. As a file, it would not be found in the bundle, and
 * not be sent from a folder such as `.pnpm`, because the name begins with a dot. The build fails if the code has changed.
 */
const inlineMailPage: Plugin = {
  name: 'inline-mail-page',
  setup: ({ onLoad }) => {
    onLoad({ filter: /aws-ses-v2-local[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (!code.includes(pageCall)) return { errors: [{ text: `${path} no longer contains ${pageCall}.` }] }
      const page = await readFile(path.replace(/dist[\\/]index\.js$/, 'static/index.html'), 'utf8')
      return { contents: code.replace(pageCall, () => `res.type('html').send(${JSON.stringify(page)})`) }
    })
  },
}

/** The command and local mode. All parts share their code, and modules find each other by the paths of the sources. */
const buildCommand = (definition: PackageDefinition): Promise<Built> =>
  build({
    ...common,
    ...esm,
    entryPoints: [
      { in: `${definition.entry}.ts`, out: definition.out },
      ...[
        ...['cli/latchkey', 'local/start', 'local/hash-thread', 'local/mail-worker'],
        ...functionNames().map((name) => `functions/${name}/index`),
      ].map((out) => ({ in: `${out}.ts`, out })),
    ],
    outdir: folderOf(definition),
    plugins: [...common.plugins, modelNames, inlineMailPage],
    splitting: true,
    minify: true,
    chunkNames: 'local/chunk-[hash]',
  })

/** The file that npm links as the command. */
const buildBin = (definition: PackageDefinition): Promise<Built> =>
  build({
    ...common,
    bundle: false,
    format: 'esm',
    plugins: [],
    entryPoints: [{ in: 'build/package/bin.ts', out: 'cli/bin' }],
    outdir: folderOf(definition),
    define: { oldestNode: JSON.stringify(oldestNode) },
  })

/** Builds the code of each package. */
const builders: Readonly<Record<keyof typeof packages, () => Promise<readonly Built[]>>> = {
  client: () => buildPortable(packages.client),
  middleware: () => buildPortable(packages.middleware),
  hooks: () => Promise.all([buildEntry(packages.hooks, esm), buildEntry(packages.hooks, commonJs)]),
  construct: async () => {
    const code = [buildEntry(packages.construct, esm), buildEntry(packages.construct, commonJs)]
    const functions = await bundleFunctions({
      outDir: join(folderOf(packages.construct), 'bundles'),
      hasFolders: false,
    })
    for (const bundle of functions) bundles.set(bundle.name, componentsOf([bundle]))
    return [...(await Promise.all(code)), ...functions]
  },
  latchkey: () =>
    Promise.all([
      buildBin(packages.latchkey),
      buildCommand(packages.latchkey),
      buildEntry(packages.latchkey, commonJs, { minify: true }),
    ]),
}

const buildPortable = (definition: PackageDefinition): Promise<readonly Built[]> =>
  Promise.all([buildEntry(definition, esm, portable), buildEntry(definition, commonJs, portable)])

/** The components of something that is built, with those of the pages if their scripts are in it. */
const componentsOf = (built: readonly Built[]): readonly Component[] => {
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
  const hasPages = inputs.some((input) => input.endsWith(pageScripts))
  return listComponents([...inputs, ...(hasPages ? app.inputs : [])])
}

/** The module with the scripts of the pages, which a build runs instead of bundling what it imports. */
const pageScripts = 'lib/features/pages/assets.prebuilt.ts'

await writeClient()
rmSync(join(root, 'dist'), { recursive: true, force: true })
const definitions: readonly PackageDefinition[] = Object.values(packages)
for (const definition of definitions) {
  const folder = folderOf(definition)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(toManifest(definition), null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(
    join(root, `docs/packages/${definition.readme ?? definition.folder}.md`),
    join(folder, 'README.md'),
  )
}
writeTypes(
  root,
  definitions.map((one) => ({ entry: one.entry, outdir: join(folderOf(one), 'types') })),
)
const bundles = new Map<string, readonly Component[]>()
const contents = new Map<string, readonly Component[]>()
for (const name of ['client', 'middleware', 'hooks', 'construct', 'latchkey'] as const) {
  const components = componentsOf(await builders[name]())
  contents.set(name, components)
  if (components.length > 0)
    writeFileSync(join(folderOf(packages[name]), 'THIRD-PARTY-LICENSES.txt'), formatLicenses(components))
}
// The bill of materials follows from it: `build/sbom/write-sboms.ts`.
const listed = { packages: Object.fromEntries(contents), functions: Object.fromEntries(bundles) }
writeFileSync(
  join(root, 'dist/components.json'),
  JSON.stringify(listed, (key, value) => (key === 'texts' ? undefined : value), 1),
)
