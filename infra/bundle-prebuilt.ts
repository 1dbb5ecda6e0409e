import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Runs modules named `*.prebuilt.ts` at build time. The bundle contains the values of their exports as JSON, and
 * nothing of what computed them.
 */
export const prebuiltModules: Plugin = {
  name: 'prebuilt-modules',
  setup(build) {
    build.onLoad({ filter: /\.prebuilt\.ts$/ }, async ({ path }) => {
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href)
      const lines = Object.entries(values).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
      )
      return { contents: lines.join('\n'), loader: 'js' }
    })
  },
}
