import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

const namespace = 'direct-imports'

/** Files of `@smithy/core` with what the signature of table calls needs, and nothing else. */
const exportsByModule = new Map<string, readonly string[]>(
  Object.entries({
    '@smithy/core/checksum': ["{ Sha256Node as Sha256 } from './checksum/sha256/Sha256Node'"],
    '@smithy/core/client': ["{ normalizeProvider } from './transport/normalizeProvider'"],
    '@smithy/core/protocols': [
      "{ HttpRequest } from './transport/httpRequest'",
      "{ escapeUri } from './protocols/util-uri-escape/escape-uri'",
    ],
    '@smithy/core/serde': [
      "{ fromHex, toHex } from './serde/util-hex-encoding/hex-encoding'",
      "{ fromUtf8 } from './serde/util-utf8/fromUtf8'",
      "{ hasOwn } from './transport/hasOwn'",
      "{ isArrayBuffer } from './serde/is-array-buffer/is-array-buffer'",
      "{ toUint8Array } from './serde/util-utf8/toUint8Array'",
      "{ writeKey } from './serde/writeKey'",
    ],
  }),
)

const importers =
  /[\\/](@smithy[\\/]signature-v4[\\/]|checksum[\\/]sha256[\\/]Sha256Node\.js$|engine[\\/]sign-call\.ts$)/

/**
 * Lets the signature of table calls import single files of `@smithy/core`. Bundles share whole files between their start and
 * what they load on demand. Without this, each start would load all that a client of the SDK needs of that package.
 */
export const directImports: Plugin = {
  name: namespace,
  setup(build) {
    build.onResolve({ filter: /^@smithy\/core\// }, ({ path, importer }) =>
      exportsByModule.has(path) && importers.test(importer)
        ? { path, namespace, sideEffects: false }
        : undefined,
    )
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const manifest = await build.resolve('@smithy/core/package.json', {
        kind: 'import-statement',
        resolveDir: import.meta.dirname,
      })
      return {
        contents: (exportsByModule.get(path) ?? []).map((text) => `export ${text}`).join('\n'),
        resolveDir: join(dirname(manifest.path), 'dist-es', 'submodules'),
        loader: 'js',
      }
    })
  },
}
