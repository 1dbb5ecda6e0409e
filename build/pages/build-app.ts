import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, type Metafile } from 'esbuild'
import { type Language, languages } from '../../lib/i18n/languages.ts'
import { buildLocation } from '../bundle/build-location.ts'

/** The files that a page links. The names contain hashes of their content, so browsers keep them. */
export interface PageFiles {
  readonly script: string
  readonly stylesheet: string
  /** The scripts that `script` imports, and those that contain its messages in each language. */
  readonly imports: readonly string[]
  readonly messages: Readonly<Record<Language, readonly string[]>>
}

export interface BuiltApp<Name extends string> {
  readonly pages: Readonly<Record<Name, PageFiles>>
  readonly scripts: Readonly<Record<string, string>>
  readonly stylesheets: Readonly<Record<string, string>>
}

/**
 * Bundles the scripts of pages, given by the file URLs of their entries. Pages share chunks, and load others on demand.
 * Each entry imports its stylesheet. The same sources give the same files. Throws an `Error` if a source does not compile.
 *
 * The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
export const buildApp = <Name extends string>(entries: Readonly<Record<Name, URL>>): BuiltApp<Name> => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: Object.entries<URL>(entries).map(([name, url]) => ({ in: fileURLToPath(url), out: name })),
    ...buildLocation,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    entryNames: '[ext]/[name]-[hash]',
    chunkNames: '[ext]/[name]-[hash]',
    outdir: 'unused',
    metafile: true,
    write: false,
  })
  const filesOf = (extension: string) =>
    Object.fromEntries(
      outputFiles
        .filter(({ path }) => path.endsWith(extension))
        .map(({ path, text }) => [basename(path), text.trim()]),
    )
  const pages = Object.keys(entries).map((name) => [name, findPageFiles(metafile.outputs, name)])
  return { pages: Object.fromEntries(pages), scripts: filesOf('.js'), stylesheets: filesOf('.css') }
}

const findPageFiles = (outputs: Metafile['outputs'], name: string): PageFiles => {
  const isEntry = ([path, { entryPoint }]: readonly [string, { readonly entryPoint?: string }]) =>
    entryPoint !== undefined && new RegExp(`/js/${name}-[A-Z0-9]+\\.js$`).test(path)
  const [script = '', output] = Object.entries(outputs).find(isEntry) ?? []
  const imports = findImports(outputs, script)
  const onDemand = [script, ...imports].flatMap((path) => importsOf(outputs, path, 'dynamic-import'))
  const messagesIn = (language: Language) =>
    onDemand.filter((path) => outputs[path]?.entryPoint?.endsWith(`/messages/${language}.ts`))
  return {
    script: basename(script),
    stylesheet: basename(output?.cssBundle ?? ''),
    imports: imports.map((path) => basename(path)),
    messages: Object.fromEntries(
      languages.map((language) => [language, messagesIn(language).map((path) => basename(path))]),
    ) as Record<Language, string[]>,
  }
}

/** Returns the chunks that a script needs before it runs. */
const findImports = (outputs: Metafile['outputs'], script: string): readonly string[] => {
  const found = new Set<string>()
  const visit = (path: string): void => {
    for (const next of importsOf(outputs, path, 'import-statement'))
      if (!found.has(next)) {
        found.add(next)
        visit(next)
      }
  }
  visit(script)
  return [...found]
}

const importsOf = (outputs: Metafile['outputs'], path: string, kind: string): readonly string[] =>
  (outputs[path]?.imports ?? []).filter((found) => found.kind === kind).map((found) => found.path)
