import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  /** The path of the importing file. */
  readonly from: string
  /** The path of the imported file, or the specifier of a package. */
  readonly to: string
}

/** The TypeScript files in a folder and the folders in it, without packages that are installed there. */
export const listSources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))

/*
 * The bundler drops imports of types. So this reads the sources: static imports and exports at the beginning of a line,
 * as the formatter writes them, and dynamic imports anywhere.
 */
const importForms = [
  /^import\s+(?:type\s+)?[\w\s,*{}$]+?\s+from\s+'([^']+)'/gm,
  /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'\s*,?\s*\)/g,
]

/** The specifiers of all imports in a source, also of types and by `import()`. */
export const parseSpecifiers = (source: string): string[] =>
  importForms.flatMap((form) => [...source.matchAll(form)].flatMap(([, specifier]) => specifier ?? []))

/** All imports of these files. @throws Error for a relative import of a file that does not exist */
export const readImports = (files: readonly string[]): readonly Import[] =>
  files.flatMap((from) =>
    parseSpecifiers(readFileSync(from, 'utf8')).map((specifier) => {
      if (!specifier.startsWith('.')) return { from, to: specifier }
      const to = normalize(join(dirname(from), specifier))
      if (!existsSync(to)) throw new Error(`${from} imports ${specifier}, which does not exist`)
      return { from, to }
    }),
  )

/** Each circle as its path: `a -> b -> a`. Empty if the imports are acyclic. */
export const findCircles = (imports: readonly Import[]): readonly string[] => {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [[...path.slice(path.indexOf(node)), node].join(' -> ')]
    if (done.has(node)) return []
    const circles = (targets.get(node) ?? []).flatMap(({ to }) => visit(to, [...path, node]))
    done.add(node)
    return circles
  }
  return [...targets.keys()].flatMap((node) => visit(node, []))
}
