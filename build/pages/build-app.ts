import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, type Metafile } from 'esbuild'
import { nameMessageFile } from '../../lib/i18n/messages.ts'
import type { Catalogues } from '../../web/messages/catalogues.ts'
import { buildLocation } from '../bundle/build-location.ts'
import type { PageMessagesByLanguage } from './read-catalogues.ts'

/** Each page has a title, and its script is in the folder of its name: `signIn` in `web/sign-in/page.tsx`. */
export type PageName = Exclude<keyof Catalogues['titles'], 'needsScript'>

/** The files that a page links. The names contain hashes of their content, so browsers keep them. */
export interface PageFiles {
  readonly script: string
  readonly stylesheet: string
  /** The scripts that `script` imports, and the parts of the messages that they use. */
  readonly imports: readonly string[]
  readonly parts: readonly string[]
}

export interface BuiltApp {
  /** The version of all messages, for `nameMessageFile`. */
  readonly messagesVersion: string
  readonly pages: Readonly<Record<PageName, PageFiles>>
  readonly scripts: Readonly<Record<string, string>>
  readonly stylesheets: Readonly<Record<string, string>>
}

const web = fileURLToPath(new URL('../../web', import.meta.url))

/**
 * Bundles the scripts of all pages, which are named `page.tsx`, and writes a script for each part of the messages in each
 * language. Pages share chunks, and load others on demand. Each entry imports its stylesheet. The same sources give the
 * same files. Throws an `Error` if a source does not compile.
 *
 * The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
export const buildApp = (catalogues: PageMessagesByLanguage): BuiltApp => {
  const version = createHash('sha256').update(JSON.stringify(catalogues)).digest('hex').slice(0, 8)
  const entries = globSync('*/page.tsx', { cwd: web }).map((path) => ({
    path,
    name: toCamelCase(dirname(path)),
  }))
  const { outputFiles, metafile } = buildSync({
    entryPoints: entries.map(({ path, name }) => ({ in: join(web, path), out: name })),
    ...buildLocation,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    define: { messagesVersion: JSON.stringify(version) },
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
  const { needsScript: _, ...titles } = catalogues.en.titles
  const toFiles = ([name]: readonly [string, string]) => [name, findPageFiles(metafile.outputs, name)]
  return {
    messagesVersion: version,
    pages: Object.fromEntries(Object.entries(titles).map(toFiles)),
    scripts: { ...filesOf('.js'), ...writeMessages(catalogues, version) },
    stylesheets: filesOf('.css'),
  }
}

const toCamelCase = (text: string): string =>
  text.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

const writeMessages = (
  catalogues: PageMessagesByLanguage,
  version: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(catalogues).flatMap(([language, parts]) =>
      Object.entries(parts).map(([part, messages]) => [
        nameMessageFile(part, language, version),
        `export default${JSON.stringify(messages)}`,
      ]),
    ),
  )

const findPageFiles = (outputs: Metafile['outputs'], name: string): PageFiles => {
  const isEntry = ([path, { entryPoint }]: readonly [string, { readonly entryPoint?: string }]) =>
    entryPoint !== undefined && new RegExp(`/js/${name}-[A-Z0-9]+\\.js$`).test(path)
  const [script, output] = Object.entries(outputs).find(isEntry) ?? []
  if (script === undefined)
    throw new Error(`The page ${name} has a title, but no page.tsx in a folder of its name.`)
  const imports = findImports(outputs, script)
  const sources = [script, ...imports].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  return {
    script: basename(script),
    stylesheet: basename(output?.cssBundle ?? ''),
    imports: imports.map((path) => basename(path)),
    parts: [...new Set(sources.flatMap(findParts))],
  }
}

/** Returns the parts of the messages that a source uses. */
const findParts = (source: string): readonly string[] =>
  [
    ...readFileSync(join(buildLocation.absWorkingDir, source), 'utf8').matchAll(/\bmessagesOf\('(\w+)'\)/g),
  ].map(([, part = '']) => part)

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
