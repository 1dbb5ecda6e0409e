import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package of others whose code is in something that is built. */
export interface Component {
  readonly name: string
  readonly version: string
  readonly license: string
  /** The digest of the package in the lock file. */
  readonly integrity: string | undefined
  /** The texts of its license and notices. */
  readonly texts: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

const { packages: locked }: { readonly packages: Record<string, { readonly integrity?: string }> } =
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/**
 * Lists the packages that files of a build come from, by name.
 *
 * @param inputs the paths of the files below the project, as esbuild lists them
 * @throws Error if a package names no license
 */
export const listComponents = (inputs: readonly string[]): readonly Component[] => {
  // A colon follows the kind of a module that the build writes. It contains no code of others.
  const folders = inputs.flatMap(
    (input) => /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0].replace(/^(?:\.\.\/)+/, '') ?? [],
  )
  return [...new Set(folders)]
    .map(readComponent)
    .sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version))
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const readComponent = (path: string): Component => {
  const folder = join(root, path)
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${name} ${version} names no license.`)
  const texts = readdirSync(folder)
    .filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry))
    .sort()
    .map((entry) => readFileSync(join(folder, entry), 'utf8').trim())
  return { name, version, license, integrity: locked[path]?.integrity, texts }
}

/** Formats the licenses of components, as their authors ask those who pass the code on. */
export const formatLicenses = (components: readonly Component[]): string =>
  components
    .map(({ name, version, license, texts }) =>
      [`${name} ${version} (${license})`, ...texts, ''].join('\n\n'),
    )
    .join(`\n${'-'.repeat(80)}\n\n`)
