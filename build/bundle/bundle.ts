import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { groups, jobs } from '../../lib/kernel/contract/group.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { buildLocation } from './build-location.ts'
import { builtins } from './bundle-builtins.ts'
import { modelNames, prebuiltModules, singleStart, withoutDocumentation } from './bundle-plugins.ts'
import { zipFiles } from './zip-files.ts'

/** The names of all Lambda functions. */
export const functionNames = (): readonly string[] => [...groups, ...jobs].sort()

export interface Bundle {
  readonly name: string
  /** Bytes that a cold start reads. */
  readonly bytes: number
  /** Bytes that are loaded on demand. */
  readonly lazyBytes: number
  /** All inputs, and the outputs that a cold start reads. */
  readonly metafile: Metafile
}

interface BundleRequest {
  /** The folder that receives `<name>.zip`. */
  readonly outDir: string
  /** Whether it also receives `<name>/index.mjs`, its chunks and their source maps, as they are in the zip file. */
  readonly hasFolders?: boolean
  /** Names of functions; all if omitted. */
  readonly groups?: readonly string[]
  /** False builds with plain esbuild, as a baseline for comparison. */
  readonly tuned?: boolean
}

const common = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  ...buildLocation,
  logLevel: 'error',
} as const satisfies BuildOptions

const tunedOptions = (entry: string): BuildOptions => ({
  mainFields: ['module', 'main'],
  plugins: [singleStart(entry), builtins, prebuiltModules, modelNames, withoutDocumentation],
  // Leaves out texts: see `lib/kernel/contract/describe.ts`.
  define: { docs: 'false' },
  inject: ['build/bundle/stack-traces.ts'],
  // Source maps contain positions but no source text.
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
})

const plainOptions: BuildOptions = {
  plugins: [prebuiltModules],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}

/**
 * Bundles functions, each into a zip file that needs nothing else: one file for the start, and chunks for dynamic imports. The
 * same source produces the same bytes on every machine.
 */
export const bundleFunctions = ({
  outDir,
  hasFolders = true,
  groups = functionNames(),
  tuned = true,
}: BundleRequest): Promise<readonly Bundle[]> =>
  // All at once would take the memory of all, and 1.6 times the CPU time, which goes into getting and cleaning it.
  mapInBatches(groups, availableParallelism(), (name) => bundleFunction(name, outDir, { hasFolders, tuned }))

const bundleFunction = async (
  name: string,
  outDir: string,
  { hasFolders, tuned }: Required<Pick<BundleRequest, 'hasFolders' | 'tuned'>>,
): Promise<Bundle> => {
  // Source maps contain paths relative to this folder. They must not reveal the location of `outDir`.
  const outdir = `.bundles/${name}`
  const entry = `functions/${name}/index.ts`
  const { outputFiles, metafile } = await build({
    ...common,
    ...(tuned ? tunedOptions(entry) : plainOptions),
    entryPoints: [{ in: entry, out: 'index' }],
    splitting: tuned,
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.mjs' },
    outdir,
    metafile: true,
    write: false,
  })
  const files = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
  mkdirSync(hasFolders ? join(outDir, name) : outDir, { recursive: true })
  if (hasFolders) for (const file of files) writeFileSync(join(outDir, name, file.name), file.contents)
  writeFileSync(join(outDir, `${name}.zip`), zipFiles(files))
  return describeBundle(name, `${outdir}/index.mjs`, metafile)
}

const describeBundle = (name: string, entry: string, { inputs, outputs }: Metafile): Bundle => {
  const atStart = new Set([entry])
  // Iterating over a set includes the elements added during the loop.
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

if (import.meta.main) {
  const [outDir, ...named] = process.argv.slice(2)
  if (!outDir) throw new Error('Usage: node build/bundle/bundle.ts OUT [FUNCTION...]')
  const groups = named.length > 0 ? named : functionNames()
  for (const { name, bytes } of await bundleFunctions({ outDir, groups }))
    process.stdout.write(`${name} ${bytes}\n`)
}
