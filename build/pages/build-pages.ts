import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import type { Page } from '../../lib/http/page.ts'

/**
 * Bundles and minifies scripts and stylesheets for browsers, given by their file URLs. Returns the result of each by
 * its URL. The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
const bundleBrowserFiles = (urls: readonly string[]): ReadonlyMap<string, string> => {
  const { outputFiles } = buildSync({
    entryPoints: urls.map((url, index) => ({ in: fileURLToPath(url), out: String(index) })),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    outdir: 'unused',
    write: false,
  })
  return new Map(
    outputFiles.map(({ path, text }) => [urls[Number.parseInt(basename(path), 10)] ?? '', text.trim()]),
  )
}

const stylesheet = /<link rel="stylesheet" href="([^"]+)">/g
/** A file around the page, whose `<slot>` the page fills. Links of both count from the page. */
const frame = /^<link rel="frame" href="([^"]+)">\n/
const script = /<script type="module" src="([^"]+)"><\/script>/g

/**
 * Builds HTML files into pages that need no other file: their stylesheets and module scripts are bundled, minified and
 * inlined. The content security policy of a page allows exactly these bytes. The same sources give the same pages.
 * Throws an `Error` if a linked file is missing or does not compile.
 */
export const buildPages = <Name extends string>(
  htmlFiles: Readonly<Record<Name, URL>>,
): Readonly<Record<Name, Page>> => {
  const sources = Object.entries<URL>(htmlFiles).map(([name, url]) => ({
    name,
    url,
    html: readPage(url),
  }))
  const linkedFiles = sources.flatMap(({ html, url }) =>
    [stylesheet, script].flatMap((pattern) => linksOf(html, pattern).map((path) => new URL(path, url).href)),
  )
  const bundles = bundleBrowserFiles([...new Set(linkedFiles)])
  const pages = sources.map(({ name, html, url }) => [
    name,
    inlineFiles(html, (path) => bundles.get(new URL(path, url).href) ?? ''),
  ])
  return Object.fromEntries(pages)
}

const readPage = (url: URL): string => {
  const html = readFileSync(url, 'utf8')
  const [head = '', path] = frame.exec(html) ?? []
  if (path === undefined) return html
  return readFileSync(new URL(path, url), 'utf8').replace('<slot></slot>', () => html.slice(head.length))
}

const linksOf = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, path = '']) => path)

const inlineFiles = (source: string, bundleOf: (path: string) => string): Page => {
  const html = withoutIndentation(source)
    .replaceAll(stylesheet, (_, path: string) => `<style>${bundleOf(path)}</style>`)
    .replaceAll(script, (_, path: string) => `<script type="module">${bundleOf(path)}</script>`)
  const hashesOf = (pattern: RegExp) =>
    linksOf(source, pattern)
      .map((path) => hashOf(bundleOf(path)))
      .join(' ')
  const scriptHashes = hashesOf(script)
  const policy = [
    "default-src 'none'",
    ...(scriptHashes ? [`script-src ${scriptHashes}`, "connect-src 'self'"] : []),
    `style-src ${hashesOf(stylesheet)}`,
    // Firefox applies this to the icon of the page.
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return { html, headers: { 'content-security-policy': policy.join('; ') } }
}

/** Pages contain no element that shows white space as it is written, and fewer bytes make a function start faster. */
const withoutIndentation = (html: string): string => html.replaceAll(/\n\s+/g, '\n')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
