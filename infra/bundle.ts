import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { builtins } from './bundle-builtins.ts'
import { bundleCuts, cutPlugin } from './bundle-cuts.ts'
import { prebuiltModules } from './bundle-prebuilt.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every folder under `functions/`, which is every Lambda function. */
export const functionNames = (): readonly string[] =>
  readdirSync(join(root, 'functions'))
    .filter((name) => existsSync(join(root, 'functions', name, 'index.ts')))
    .sort()

export interface Bundle {
  readonly name: string
  /** What a start reads. */
  readonly bytes: number
  /** What is read when it is first wanted. */
  readonly lazyBytes: number
  /** Of all inputs, and of the outputs that a start reads. */
  readonly metafile: Metafile
}

export interface BundleRequest {
  /** Where `<name>/index.mjs`, its chunks and their maps go. */
  readonly outDir: string
  /** Folders under `functions/`; all when left out. */
  readonly groups?: readonly string[]
  /** False for what plain esbuild makes of the same entry, to compare with. */
  readonly tuned?: boolean
}

const common = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  absWorkingDir: root,
  logLevel: 'error',
} as const satisfies BuildOptions

const tunedOptions: BuildOptions = {
  mainFields: ['module', 'main'],
  plugins: [builtins, prebuiltModules, cutPlugin(bundleCuts)],
  inject: ['infra/stack-traces.ts'],
  // The map names places; the text of our sources stays at home.
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
}

const plainOptions: BuildOptions = {
  plugins: [prebuiltModules],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}

/**
 * Bundles functions, each into a folder that needs nothing beside it: what a start needs, and in chunks of their own
 * what is imported when it is wanted. The same source gives the same bytes everywhere.
 */
export const bundleFunctions = ({
  outDir,
  groups = functionNames(),
  tuned = true,
}: BundleRequest): Promise<readonly Bundle[]> =>
  Promise.all(groups.map((name) => bundleFunction(name, outDir, tuned)))

const bundleFunction = async (name: string, outDir: string, tuned: boolean): Promise<Bundle> => {
  // Where the files would go in the project: maps tell paths from there, and must not tell where `outDir` is.
  const outdir = `.bundles/${name}`
  const { outputFiles, metafile } = await build({
    ...common,
    ...(tuned ? tunedOptions : plainOptions),
    entryPoints: [{ in: `functions/${name}/index.ts`, out: 'index' }],
    splitting: tuned,
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.mjs' },
    outdir,
    metafile: true,
    write: false,
  })
  mkdirSync(join(outDir, name), { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(join(outDir, name, basename(path)), contents)
  return bundleOf(name, `${outdir}/index.mjs`, metafile)
}

const bundleOf = (name: string, entry: string, { inputs, outputs }: Metafile): Bundle => {
  const atStart = new Set([entry])
  // A set goes on to what is added on the way.
  for (const file of atStart)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') atStart.add(path)
  const code = Object.entries(outputs).filter(([path]) => path.endsWith('.mjs'))
  const started = code.filter(([path]) => atStart.has(path))
  const sum = (files: typeof code): number => files.reduce((total, [, { bytes }]) => total + bytes, 0)
  return {
    name,
    bytes: sum(started),
    lazyBytes: sum(code) - sum(started),
    metafile: { inputs, outputs: Object.fromEntries(started) },
  }
}

/** The same for a CDK construct, which can't wait: the work is done by a process of its own. */
export const bundleFunctionsNow = (outDir: string): void => {
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), outDir], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

if (import.meta.main) {
  const [outDir] = process.argv.slice(2)
  if (!outDir) throw new Error('Usage: node infra/bundle.ts OUT')
  for (const { name, bytes } of await bundleFunctions({ outDir })) process.stdout.write(`${name} ${bytes}\n`)
}
