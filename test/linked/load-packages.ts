import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { sourceFolders } from '../support/floors.ts'
import { listSources } from '../support/import-graph.ts'

/*
 * Loads every package that the code imports, from an install that gives each package only its own dependencies. The
 * names are those of static imports at the beginning of a line and of dynamic imports. Imports of types load nothing.
 */

const importForms = [
  /^(?:import|export)\s+(?!type\s)[^'"`;]*?\sfrom\s+'([^'.][^']*)'/gm,
  /^import\s+'([^'.][^']*)'/gm,
  /\bimport\('([^'.][^']*)'\)/g,
]

/** The test runner works only in its own processes, and styles are for browsers. */
const isForOthers = (specifier: string): boolean => /^vitest(\/|$)|\.css$/.test(specifier)

/** A tool with its own package.json has packages that the project does not install. */
const belongsToTool = (file: string): boolean => {
  const folder = dirname(file)
  return folder !== '.' && (existsSync(join(folder, 'package.json')) || belongsToTool(folder))
}

const specifiers = new Set(
  sourceFolders
    .flatMap((folder) => listSources(folder))
    .filter((file) => !belongsToTool(file))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      return importForms.flatMap((form) =>
        [...source.matchAll(form)].flatMap(([, specifier]) => specifier ?? []),
      )
    })
    .filter((specifier) => !isBuiltin(specifier) && !isForOthers(specifier)),
)

if (specifiers.size < 20) throw new Error('Found hardly any imports of packages.')
for (const specifier of specifiers) await import(specifier)
process.stdout.write(`Loaded ${specifiers.size} modules of packages.\n`)
