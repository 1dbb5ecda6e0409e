import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { builtins } from './bundle-builtins.ts'
import { withoutDeadParts } from './bundle-cuts.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every folder under `functions/`, which is every Lambda function. */
export const functionNames = (): readonly string[] =>
  readdirSync(join(root, 'functions'))
    .filter((name) => existsSync(join(root, 'functions', name, 'index.ts')))
    .sort()

export interface Bundle {
  readonly name: string
  readonly bytes: number
  readonly metafile: Metafile
}

export interface BundleRequest {
  /** Where `<name>/index.mjs` and its map go. */
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
  plugins: [builtins, withoutDeadParts],
  inject: ['infra/stack-traces.ts'],
  // The map names places; the text of our sources stays at home.
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
}

const plainOptions: BuildOptions = {
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}

/** Bundles functions, each into one file that needs nothing beside it. The same source gives the same bytes everywhere. */
export const bundleFunctions = async ({
  outDir,
  groups = functionNames(),
  tuned = true,
}: BundleRequest): Promise<readonly Bundle[]> => {
  const { outputFiles, metafile } = await build({
    ...common,
    ...(tuned ? tunedOptions : plainOptions),
    entryPoints: groups.map((name) => ({ in: `functions/${name}/index.ts`, out: `${name}/index` })),
    outExtension: { '.js': '.mjs' },
    // Where they would go in the project: maps tell paths from there, and must not tell where `outDir` is.
    outdir: '.bundles',
    metafile: true,
    write: false,
  })
  for (const name of groups) mkdirSync(join(outDir, name), { recursive: true })
  for (const { path, contents } of outputFiles)
    writeFileSync(join(outDir, basename(dirname(path)), basename(path)), contents)
  return groups.map((name) => bundleOf(name, metafile))
}

const bundleOf = (name: string, { inputs, outputs }: Metafile): Bundle => {
  const path = `.bundles/${name}/index.mjs`
  const output = outputs[path]
  if (!output) throw new Error(`esbuild made no ${path}.`)
  const own = new Set([`functions/${name}/index.ts`])
  // A set goes on to what is added on the way.
  for (const file of own) for (const imported of inputs[file]?.imports ?? []) own.add(imported.path)
  const ownInputs = Object.fromEntries(Object.entries(inputs).filter(([file]) => own.has(file)))
  return { name, bytes: output.bytes, metafile: { inputs: ownInputs, outputs: { [path]: output } } }
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
