import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, type Metafile } from 'esbuild'
import { nameMessageFile } from '../../lib/kernel/i18n/languages.ts'
import type { Catalogues } from '../../web/messages/catalogues.ts'
import { buildLocation } from '../bundle/build-location.ts'
import type { PageMessagesByLanguage } from './read-catalogues.ts'

/** Each page has a title, and its script is in the folder of its name: `signIn` in `web/sign-in/page.tsx`. */
type PageName = Exclude<keyof Catalogues['titles'], 'needsScript'>

/** The files that a page links. The names contain hashes of their content, so browsers keep them. */
interface PageFiles {
  readonly script: string
  readonly stylesheet: string
  /** The scripts that `script` imports, and the parts of the messages that they use. */
  readonly imports: readonly string[]
  readonly parts: readonly string[]
  /** The script that loads the files of the first section, if the page has sections. */
  readonly preload?: string
}

interface BuiltApp {
  /** The version of all messages, for `nameMessageFile`. */
  readonly messagesVersion: string
  readonly pages: Readonly<Record<PageName, PageFiles>>
  readonly scripts: Readonly<Record<string, string>>
  readonly stylesheets: Readonly<Record<string, string>>
}

const web = fileURLToPath(new URL('../../web', import.meta.url))

/** Puts what sections of the console share into one file. The annotation in `package.json` would remove imports without names. */
const commonFiles = { inject: [join(web, 'admin/common-files.ts')], ignoreAnnotations: true }

/**
 * Bundles the scripts of all pages, which are named `page.tsx`, and writes a script for each part of the messages in each
 * language. Pages share chunks, and load others on demand. Each entry imports its stylesheet. The same sources give the
 * same files. Throws an `Error` if a source does not compile, or names sections or messages in a way that the build cannot read.
 *
 * The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
export const buildApp = (catalogues: PageMessagesByLanguage): BuiltApp => {
  const version = createHash('sha256').update(JSON.stringify(catalogues)).digest('hex').slice(0, 8)
  const entries = globSync('*/page.tsx', { cwd: web }).map((path) => ({
    path,
    name: toCamelCase(dirname(path)),
  }))
  const isConsole = ({ name }: { readonly name: string }) => name === 'admin'
  const results = [entries.filter(isConsole), entries.filter((entry) => !isConsole(entry))].map((entries) =>
    buildSync({
      entryPoints: entries.map(({ path, name }) => ({ in: join(web, path), out: name })),
      ...buildLocation,
      bundle: true,
      splitting: true,
      ...(entries.some(isConsole) && commonFiles),
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      define: { messagesVersion: JSON.stringify(version) },
      // Its main file needs streams of Node.js.
      alias: { 'csv-parse': 'csv-parse/browser/esm' },
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      logLevel: 'silent',
      entryNames: '[ext]/[name]-[hash]',
      chunkNames: '[ext]/[name]-[hash]',
      outdir: 'unused',
      metafile: true,
      write: false,
    }),
  )
  const outputFiles = results.flatMap((result) => result.outputFiles)
  const built: Built = {
    outputs: Object.assign({}, ...results.map((result) => result.metafile.outputs)),
    isPart: (name) => Object.hasOwn(catalogues.en, name),
  }
  const filesOf = (extension: string) =>
    Object.fromEntries(
      outputFiles
        .filter(({ path }) => path.endsWith(extension))
        .map(({ path, text }) => [basename(path), text.trim()]),
    )
  const { needsScript: _, ...titles } = catalogues.en.titles
  const preloads: Record<string, string> = {}
  const toFiles = ([name]: readonly [string, string]) => {
    const files = findPageFiles(built, name)
    const sections = findSections(built, name, files)
    if (sections.length === 0) return [name, files]
    const [preload, text] = writeSectionPreload(name, sections, version)
    preloads[preload] = text
    return [name, { ...files, preload }]
  }
  return {
    messagesVersion: version,
    pages: Object.fromEntries(Object.entries(titles).map(toFiles)),
    scripts: { ...filesOf('.js'), ...preloads, ...writeMessages(catalogues, version) },
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

/** What esbuild wrote, and whether the catalogues have a part of this name. */
interface Built {
  readonly outputs: Metafile['outputs']
  readonly isPart: (name: string) => boolean
}

const findPageFiles = (built: Built, name: string): PageFiles => {
  const { outputs } = built
  const isEntry = ([path, { entryPoint }]: readonly [string, { readonly entryPoint?: string }]) =>
    entryPoint !== undefined && new RegExp(`/js/${name}-[A-Z0-9]+\\.js$`).test(path)
  const [script, output] = Object.entries(outputs).find(isEntry) ?? []
  if (script === undefined)
    throw new Error(`The page ${name} has a title, but no page.tsx in a folder of its name.`)
  const imports = findImports(outputs, script)
  return {
    script: basename(script),
    stylesheet: basename(output?.cssBundle ?? ''),
    imports: imports.map((path) => basename(path)),
    parts: listParts(built, [script, ...imports]),
  }
}

/** Returns what the sections of a page load when they are opened, by the names that `sections.ts` gives their folders. */
const findSections = (
  built: Built,
  page: string,
  { script, imports, parts }: PageFiles,
): readonly SectionFiles[] => {
  const { outputs } = built
  const isLoaded = new Set([script, ...imports, ...parts])
  return Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) => {
    const [, folder] = new RegExp(`^web/${page}/([^/]+)/section\\.tsx$`).exec(entryPoint) ?? []
    if (folder === undefined) return []
    const name = nameSection(page, folder)
    const scripts = [path, ...findImports(outputs, path)]
    return [
      {
        name,
        scripts: scripts.map((one) => basename(one)).filter((one) => !isLoaded.has(one)),
        parts: listParts(built, scripts).filter((part) => !isLoaded.has(part)),
      },
    ]
  })
}

/** Reads the name of a section where `sections.ts` loads it. The build fails on what it cannot read. */
const nameSection = (page: string, folder: string): string => {
  const source = readFileSync(join(web, page, 'sections.ts'), 'utf8')
  const pattern = new RegExp(`name: '([\\w-]+)',[^{}]*import\\('\\./${folder}/section\\.tsx'\\)`)
  const [, name] = pattern.exec(source) ?? []
  if (name === undefined)
    throw new Error(
      `web/${page}/sections.ts: expected an entry that begins with name: '…', and imports ./${folder}/section.tsx as the others do.`,
    )
  return name
}

const listParts = ({ outputs, isPart }: Built, scripts: readonly string[]): readonly string[] => {
  const sources = scripts.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  return [...new Set(sources.flatMap((source) => findParts(source, isPart)))]
}

/** Uses of `messagesOf`: all but its declaration, and imports under its own name. */
const uses = /(?<!const )\bmessagesOf\b(?! *[,}])(?:\('(\w+)'\))?[^\n]*/g

/** Reads which parts of the messages a source uses. The build fails on what it cannot read. */
const findParts = (source: string, isPart: (name: string) => boolean): readonly string[] => {
  if (!source.startsWith('web/')) return []
  const text = readFileSync(join(buildLocation.absWorkingDir, source), 'utf8')
  return [...text.matchAll(uses)].map(([found, part = '']) => {
    if (isPart(part)) return part
    throw new Error(
      `${source}: expected messagesOf('…') with a part of the catalogues, which the page then loads, and found: ${found}`,
    )
  })
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

/** What a section of a page loads when it is opened, beyond what the page has. */
interface SectionFiles {
  readonly name: string
  readonly scripts: readonly string[]
  readonly parts: readonly string[]
}

/** Stands in the names of files for the language, which the page knows. */
const language = 'LANGUAGE'

/**
 * Writes a script that loads the files of the section in the address while those of the page are on their way. Otherwise each
 * would be asked for only after the one before it ran. Returns the name of the script and its text.
 */
const writeSectionPreload = (
  page: string,
  sections: readonly SectionFiles[],
  messagesVersion: string,
): readonly [string, string] => {
  const files = sections.map(({ name, scripts, parts }) => [
    name,
    [...scripts, ...parts.map((part) => nameMessageFile(part, language, messagesVersion))],
  ])
  const text = [
    `const files=new Map(${JSON.stringify(files)})`,
    "const name=location.hash.split(/[/?]/)[1]||'overview'",
    'for(const file of files.get(name)??[]){',
    "const link=document.createElement('link')",
    "link.rel='modulepreload'",
    `link.href=new URL(file.replace('${language}',document.documentElement.lang),import.meta.url)`,
    'document.head.append(link)',
    '}',
  ].join('\n')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return [`preload-${page}-${hash}.js`, text]
}
