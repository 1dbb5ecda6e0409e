import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vitest/config'

const isPrebuilt = (id: string): boolean => id.endsWith('.prebuilt.ts')

/**
 * Runs modules named `*.prebuilt.ts` once per run instead of once per test file, as bundles contain their values. They
 * start a bundler of their own, which takes longer than many a test file.
 */
export const prebuiltModules = (): Plugin => ({
  name: 'prebuilt-modules',
  enforce: 'pre',
  load: async (id) => {
    if (!isPrebuilt(id)) return undefined
    const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href)
    return Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
  // The values depend on more files than this one, so that a later run must not find them in the cache.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (isPrebuilt(id) ? false : undefined)),
})
