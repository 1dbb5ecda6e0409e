import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * Keeps the names of the models of the OpenID Connect provider. The library finds the storage and the lifetime of a model by
 * the name of its class, which minifying changes. Keeping all names of a bundle would add 27 KB to each cold start.
 */
export const modelNames: Plugin = {
  name: 'model-names',
  setup(build) {
    build.onLoad({ filter: /[\\/]oidc-provider[\\/]lib[\\/]models[\\/]\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /\bclass (\w+)( extends [\w.()]+)? \{/g,
        (start, name: string) => `${start} static name = '${name}';`,
      ),
      loader: 'js',
    }))
  },
}
