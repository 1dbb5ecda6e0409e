import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * `npm pack` takes the package.json of the project. Before it does, `manifest.ts publish` replaces the file by one with only
 * what those who install the package need, and `manifest.ts restore` puts the original back.
 */

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly optionalDependencies: Versions
}

/** Programs that local mode starts. Optional, because they exist for some machines only. */
const started = ['@dynoxide/linux-x64']

/** What only the project itself needs. The packages that run are inside the bundles. */
const ofProject = ['scripts', 'dependencies', 'devDependencies', 'overrides', 'scarfSettings', 'allowScripts']

/** Returns the package.json for those who install the package. */
const toPublished = (manifest: Manifest): object => ({
  ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !ofProject.includes(key))),
  optionalDependencies: pick(manifest.optionalDependencies, started),
})

/** @throws Error if a package is not installed in the project, because its version is then unknown. */
const pick = (versions: Versions, names: readonly string[]): Versions =>
  Object.fromEntries(
    names.map((name) => {
      const version = versions[name]
      if (!version) throw new Error(`package.json does not name ${name}.`)
      return [name, version]
    }),
  )

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const file = pathOf('package.json')
const original = pathOf('.package.json')

/** Also repairs what an interrupted `npm pack` has left. */
const restore = (): void => {
  if (existsSync(original)) renameSync(original, file)
}

const publish = (): void => {
  restore()
  const text = readFileSync(file, 'utf8')
  const published = toPublished(JSON.parse(text))
  writeFileSync(original, text)
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`)
}

const [command] = process.argv.slice(2)
if (command === 'publish') publish()
else if (command === 'restore') restore()
else throw new Error('Usage: node build/package/manifest.ts publish|restore')
