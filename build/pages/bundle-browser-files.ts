import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/**
 * Bundles and minifies scripts and stylesheets for browsers, given by their file URLs. Returns the result of each by
 * its URL. The synchronous build leaves no esbuild process behind in the worker threads of the local mode.
 */
export const bundleBrowserFiles = (urls: readonly string[]): ReadonlyMap<string, string> => {
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
