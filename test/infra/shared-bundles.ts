import { createHash, randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bundle, bundleFunctions } from '../../build/bundle/bundle.ts'
import { sourceFolders } from '../support/floors.ts'
import { findUnmatched } from '../support/named-files.ts'
import { shareFolder } from '../support/shared-folder.ts'

export interface SharedBundles {
  /** Contains a folder for each function. */
  readonly folder: string
  readonly bundles: readonly Bundle[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/latchkey-bundles')

/** What no bundle depends on, so that a change of a test does not bundle again. Pages show guides of `docs`. */
const unrelated = ['.git', '.ci', '.bundles', '.local', 'cdk.out', 'coverage', 'dist', 'examples', 'test']

const listFiles = (folder: string, omitted: readonly string[] = []): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !omitted.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
    .sort()

/** The hash of everything that bundles depend on: the sources, the installed packages, and the version of Node.js. */
const hashSources = (): string => {
  const hash = createHash('sha256').update(process.version)
  const installed = 'node_modules/.package-lock.json'
  for (const path of [
    ...listFiles('.', unrelated),
    ...(existsSync(join(root, installed)) ? [installed] : []),
  ]) {
    const content = readFileSync(join(root, path))
    hash.update(`\n${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Keeps the bundles of the latest sources for later runs. Another run may do the same at the same time. */
const keep = (folder: string, hash: string): void => {
  const unfinished = join(cache, `unfinished-${randomUUID()}`)
  mkdirSync(cache, { recursive: true })
  cpSync(folder, unfinished, { recursive: true })
  for (const name of readdirSync(cache))
    if (name !== hash && !name.startsWith('unfinished-'))
      rmSync(join(cache, name), { recursive: true, force: true })
  try {
    renameSync(unfinished, join(cache, hash))
  } catch {
    // The other run was faster.
    rmSync(unfinished, { recursive: true })
  }
}

/** Bundles all functions once per run, or takes the bundles of an earlier run with the same sources. */
export const shareBundles = async (): Promise<SharedBundles> => {
  const folder = await shareFolder('bundles', async (outDir) => {
    const hash = hashSources()
    if (existsSync(join(cache, hash))) return cpSync(join(cache, hash), outDir, { recursive: true })
    writeFileSync(join(outDir, 'bundles.json'), JSON.stringify(await bundleFunctions({ outDir })))
    keep(outDir, hash)
  })
  return { folder, bundles: JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')) }
}

let existing: readonly string[] | undefined

/** Every file that a bundle could have as its input. */
const listPossibleInputs = (): readonly string[] => {
  existing ??= [...sourceFolders, 'node_modules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  return existing
}

/**
 * The inputs that a pattern matches.
 *
 * @throws Error if a part of the pattern matches no file at all, because then its absence says nothing
 */
export const findInputs = (inputs: readonly string[], pattern: RegExp): readonly string[] => {
  const unmatched = findUnmatched(pattern, listPossibleInputs())
  if (unmatched.length > 0) throw new Error(`No file matches ${unmatched.join(' or ')}.`)
  return inputs.filter((path) => pattern.test(path))
}
