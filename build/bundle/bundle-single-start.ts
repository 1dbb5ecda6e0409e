import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

const namespace = 'on-demand'

/**
 * Puts all that a function starts with into one chunk. Otherwise the bundler makes a chunk for each combination of dynamic
 * imports that share files with the start, up to 15 of them, and to find and open a file takes about 1 % of a start. Each
 * module that the project loads on demand also imports the function, which is loaded by then, so it shares all of it.
 */
export const singleStart = (entry: string): Plugin => ({
  name: namespace,
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? ''
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer, resolveDir }) => {
      if (kind !== 'dynamic-import' || importer.includes('node_modules')) return undefined
      // Names of chunks depend on this path. It must not reveal the folder of the project.
      return {
        path: path.startsWith('.') ? `./${relative(root, join(resolveDir, path))}` : path,
        namespace,
      }
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: [`import './${entry}'`, `export * from ${JSON.stringify(path)}`].join('\n'),
      resolveDir: root,
      loader: 'js',
    }))
  },
})
