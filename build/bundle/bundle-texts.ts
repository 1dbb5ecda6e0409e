import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * Texts of models and operations, and the constants that only texts use: their names begin with `example`, or end with
 * `Description` or `Descriptions`.
 */
const texts =
  /^(?=describeModel\()|(?<=^ +text: )(?=describe\()|(?<=^(?:export )?const (?:example\w*|\w+Descriptions?)\b[^=\n]*= ?)(?=\S|\n)/gm

/** Calls that create schemas. The bundler drops those that no operation of the function uses. */
const schemas = /(?<![\w.])(?=(z\.\w+|\w+\.check)\()/g

/**
 * Leaves the texts of the OpenAPI document out of functions. The bundler drops what never runs, and all that only it uses.
 * The document itself is built beforehand: see `functions/pages/open-api.prebuilt.ts`.
 */
export const withoutTexts: Plugin = {
  name: 'without-texts',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]lib[\\/]contract[\\/](models|operations|published-clients)[\\/].*\.ts$/ },
      async ({ path }) => ({
        contents: (await readFile(path, 'utf8'))
          .replaceAll(texts, 'void 0 && ')
          .replaceAll(schemas, '/* @__PURE__ */ '),
        loader: 'ts',
      }),
    )
  },
}
