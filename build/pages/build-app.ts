import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, type Metafile } from 'esbuild'
import { nameMessageFile } from '../../lib/kernel/i18n/languages.ts'
import type { Catalogues } from '../../web/messages/catalogues.ts'
import { buildLocation } from '../bundle/build-location.ts'
import type { PageMessagesByLanguage } from './read-catalogues.ts'

/** Each page has a title, and its script is in the folder of its name: `signIn` in `web/sign-in/page.tsx`. */
type PageName = keyof Catalogues['titles']

/** The files that a page links. The names contain hashes of their content, so browsers keep them. */
interface PageFiles {
  readonly script: string
  readonly stylesheet: string
  /** The scripts that `script` imports, and the parts of the messages that they load. */
  readonly imports: readonly string[]
  readonly parts: readonly string[]
  /** The script that loads the files of the first section, if the page has sections. */
  readonly preload?: string
}

/** What the service needs to answer with the scripts and stylesheets of the pages. */
export interface PageAssets {
  /** The version of all messages, for `nameScriptFolder`. */
  readonly messagesVersion: string
  /** The code of scripts by name, without messages. */
  readonly scripts: Readonly<Record<string, string>>
  readonly stylesheets: Readonly<Record<string, string>>
  /** The messages as JSON, by language and part. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The script of the public pages, which begins with the messages of these parts. */
  readonly publicScript: { readonly name: string; readonly parts: readonly string[] }
}

interface BuiltApp {
  readonly assets: PageAssets
  readonly pages: Readonly<Record<PageName, PageFiles>>
  /** The files that scripts and stylesheets come from, below the project. */
  readonly inputs: readonly string[]
}

const web = fileURLToPath(new URL('../../web', import.meta.url))

/** The script of all pages without a script of their own. */
const publicEntry = { path: 'public/start-public-page.ts', name: 'public' }

/** Pages that load sections or messages on demand, and so have a script of their own beside that of the public pages. */
const ownEntries = ['account', 'organization', 'setup'].map((name) => ({ path: `${name}/page.tsx`, name }))

const consoleEntry = { path: 'admin/page.tsx', name: 'admin' }

/** Puts what all scripts share into one file. The annotation in `package.json` would remove imports without names. */
const shareFile = (path: string) => ({ inject: [join(web, path)], ignoreAnnotations: true })

/**
 * Bundles the scripts of all pages. The public pages are one script, which the pages of `ownEntries` import: they, and the console,
 * load others on demand. Each entry imports its stylesheet. The same sources give the same files. Throws an `Error` if a source does
 * not compile, or names sections or messages in a way that the build cannot read.
 *
 * The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
export const buildApp = (catalogues: PageMessagesByLanguage): BuiltApp => {
  const version = createHash('sha256').update(JSON.stringify(catalogues)).digest('hex').slice(0, 8)
  const results = [
    { entries: [publicEntry, ...ownEntries], shared: publicEntry.path, define: {} },
    { entries: [consoleEntry], shared: 'admin/common-files.ts', define: { publicMessages: '{}' } },
  ].map(({ entries, shared, define }) =>
    buildSync({
      entryPoints: entries.map(({ path, name }) => ({ in: join(web, path), out: name })),
      ...buildLocation,
      ...shareFile(shared),
      bundle: true,
      splitting: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      define,
      loader: { '.md': 'text' },
      alias: {
        // Its main file needs streams of Node.js.
        'csv-parse': 'csv-parse/browser/esm',
        '@formatjs/icu-skeleton-parser': join(web, 'kit/no-skeletons.ts'),
      },
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
  // Modules that several scripts import, and of which no code is left, become an empty chunk that each of them would load.
  const empty = outputFiles.filter(({ text }) => text.trim() === '').map(({ path }) => basename(path))
  const built: Built = {
    outputs: omitImports(Object.assign({}, ...results.map((result) => result.metafile.outputs)), empty),
    isPart: (name) => Object.hasOwn(catalogues.en, name),
  }
  const filesOf = (extension: string) =>
    Object.fromEntries(
      outputFiles
        .filter(({ path }) => path.endsWith(extension) && !empty.includes(basename(path)))
        .map(({ path, text }) => [
          basename(path),
          empty.reduce((code, name) => code.replaceAll(`import"./${name}";`, ''), text.trim()),
        ]),
    )
  const publicFiles = findPublicFiles(built)
  const preloads: Record<string, string> = {}
  const toFiles = ([name]: readonly [string, string]) => {
    const entry = [...ownEntries, consoleEntry].find((one) => one.name === name)
    if (!entry) return [name, { ...publicFiles, parts: [] }]
    const files = findPageFiles(built, name, publicFiles)
    const sections = findSections(built, name, files)
    if (sections.length === 0) return [name, files]
    const [preload, text] = writeSectionPreload(name, sections)
    preloads[preload] = text
    return [name, { ...files, preload }]
  }
  const pages = Object.fromEntries(Object.entries(catalogues.en.titles).map(toFiles))
  return {
    assets: {
      messagesVersion: version,
      scripts: { ...filesOf('.js'), ...preloads },
      stylesheets: filesOf('.css'),
      messages: mapValues(catalogues, (parts) => mapValues(parts, (part) => JSON.stringify(part))),
      publicScript: { name: publicFiles.script, parts: publicFiles.parts },
    },
    pages,
    inputs: [...new Set(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)))].sort(),
  }
}

/** The outputs of a build without imports of some files. */
const omitImports = (outputs: Metafile['outputs'], names: readonly string[]): Metafile['outputs'] =>
  mapValues(outputs, (output) => ({
    ...output,
    imports: output.imports.filter(({ path }) => !names.includes(basename(path))),
  }))

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

/** What esbuild wrote, and whether the catalogues have a part of this name. */
interface Built {
  readonly outputs: Metafile['outputs']
  readonly isPart: (name: string) => boolean
}

/** Finds the only file that all other scripts than those of the console import, and so the entry of the public pages, too. */
const findPublicFiles = (built: Built): PageFiles => {
  const [entry, { cssBundle = '' } = {}] = findEntry(built, publicEntry.name)
  const [script = '', ...others] = findImports(built.outputs, entry)
  if (others.length > 0) throw new Error(`The script of the public pages is in ${others.length + 1} files.`)
  return {
    script: basename(script),
    stylesheet: basename(cssBundle),
    imports: [],
    parts: listParts(built, [script]),
  }
}

const findPageFiles = (built: Built, name: string, publicFiles: PageFiles): PageFiles => {
  const [script, { cssBundle = '' } = {}] = findEntry(built, name)
  const imports = findImports(built.outputs, script)
  const names = imports.map((path) => basename(path))
  const known = names.includes(publicFiles.script) ? publicFiles.parts : []
  return {
    script: basename(script),
    stylesheet: basename(cssBundle),
    imports: names,
    parts: listParts(built, [script, ...imports]).filter((part) => !known.includes(part)),
  }
}

const findEntry = ({ outputs }: Built, name: string) => {
  const isEntry = ([path, { entryPoint }]: readonly [string, Metafile['outputs'][string]]) =>
    entryPoint !== undefined && new RegExp(`/js/${name}-[A-Z0-9]+\\.js$`).test(path)
  return Object.entries(outputs).find(isEntry) ?? ([''] as const)
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

/**
 * Writes a script that loads the files of the section in the address while those of the page are on their way. Otherwise each
 * would be asked for only after the one before it ran. Returns the name of the script and its text.
 */
const writeSectionPreload = (page: string, sections: readonly SectionFiles[]): readonly [string, string] => {
  const files = sections.map(({ name, scripts, parts }) => [
    name,
    [...scripts, ...parts.map(nameMessageFile)],
  ])
  const text = [
    `const files=new Map(${JSON.stringify(files)})`,
    "const name=location.hash.split(/[/?]/)[1]||'overview'",
    'for(const file of files.get(name)??[]){',
    "const link=document.createElement('link')",
    "link.rel='modulepreload'",
    'link.href=new URL(file,import.meta.url)',
    'document.head.append(link)',
    '}',
  ].join('\n')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return [`preload-${page}-${hash}.js`, text]
}
