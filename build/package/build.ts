import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { bundleFunctions, functionNames } from '../bundle/bundle.ts'
import { builtins } from '../bundle/bundle-builtins.ts'
import { modelNames } from '../bundle/bundle-model-names.ts'
import { prebuiltModules } from '../bundle/bundle-prebuilt.ts'
import { inlineMailPage } from './inline-mail-page.ts'
import { writeLicenses } from './licenses.ts'
import { writeTypes } from './types.ts'

/* Writes everything that the package contains to the folder `dist`: `npm run build:package`. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const outdir = join(root, 'dist')

/** Code of the package runs in Node.js 20, with the oldest version that the package supports. */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  plugins: [builtins, prebuiltModules],
  legalComments: 'none',
  metafile: true,
  outdir,
  logLevel: 'error',
} as const satisfies BuildOptions

const parseUrl = 'build/package/parse-url.ts'

/** The entries of products, which load them as ES modules or with `require`. */
const entries = ['build/package/construct', 'build/package/server']
/** The entries for browsers too. The build fails if one of them imports a module of Node.js. */
const portableEntries = ['lib/client/index', 'lib/middleware/index']
const toEntryPoint = (out: string) => ({ in: `${out}.ts`, out })
const libraryOptions = {
  ...common,
  entryPoints: entries.map(toEntryPoint),
  external: ['aws-cdk-lib', 'constructs'],
}
const commonJs = { format: 'cjs', outExtension: { '.js': '.cjs' } } as const

const buildEsm = () =>
  build({
    ...libraryOptions,
    format: 'esm',
    define: { 'URL.parse': 'parseUrl' },
    inject: [parseUrl],
  })

const buildCommonJs = () =>
  build({
    ...libraryOptions,
    ...commonJs,
    define: { 'URL.parse': 'parseUrl', 'import.meta.url': 'importMetaUrl' },
    inject: [parseUrl, 'build/package/import-meta-url.ts'],
  })

const buildPortable = (format: Pick<BuildOptions, 'format' | 'outExtension'>) =>
  build({
    ...common,
    ...format,
    entryPoints: portableEntries.map(toEntryPoint),
    platform: 'neutral',
    target: 'es2022',
    plugins: [],
  })

/** The command and local mode. All parts share their code, and modules find each other by the paths of the sources. */
const buildCommand = () =>
  build({
    ...common,
    entryPoints: [
      ...['cli/latchkey', 'local/start', 'local/hash-thread', 'local/mail-worker'],
      ...functionNames().map((name) => `functions/${name}/index`),
    ].map(toEntryPoint),
    plugins: [...common.plugins, modelNames, inlineMailPage],
    format: 'esm',
    splitting: true,
    minify: true,
    chunkNames: 'local/chunk-[hash]',
    define: { 'URL.parse': 'parseUrl' },
    inject: [parseUrl],
  })

rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir)
writeTypes(root, [...entries, ...portableEntries], outdir)
const [bundles, ...builds] = await Promise.all([
  bundleFunctions({ outDir: join(outdir, 'build/bundles') }),
  buildEsm(),
  buildCommonJs(),
  buildPortable({ format: 'esm' }),
  buildPortable(commonJs),
  buildCommand(),
])
const inputs = [...bundles, ...builds].flatMap(({ metafile }) => Object.keys(metafile.inputs))
writeLicenses(root, inputs, join(outdir, 'THIRD-PARTY-LICENSES.txt'))
