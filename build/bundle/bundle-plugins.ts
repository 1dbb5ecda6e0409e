import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OutputFile, Plugin } from 'esbuild'

const namespace = 'on-demand'

/**
 * Puts all that a function starts with into one chunk. Otherwise the bundler makes a chunk for each combination of dynamic
 * imports that share files with the start, up to 15 of them, and to find and open a file takes about 1 % of a start. Each
 * module that the project or a package loads on demand also imports the function, which is loaded by then, so it shares all
 * of it.
 *
 * Worth: without it, a start takes 1.04 to 1.18 times the CPU (`users`, `sessions`, `tickets`, `passwords`).
 */
export const singleStart = (entry: string): Plugin => ({
  name: namespace,
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? ''
    const importOf = (path: string): string => JSON.stringify(`./${path}`)
    build.onResolve({ filter: /.*/ }, async ({ path, kind, ...from }) => {
      if (kind !== 'dynamic-import') return undefined
      const found = await build.resolve(path, { ...from, kind: 'import-statement' })
      // Names of chunks depend on this path. It must not reveal the folder of the project.
      return found.namespace === 'file' ? { path: relative(root, found.path), namespace } : undefined
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: [`import ${importOf(entry)}`, `export * from ${importOf(path)}`].join('\n'),
      resolveDir: root,
      loader: 'js',
    }))
  },
})

/** Constants of texts, whose value begins with `docs &&`. */
const textConstants = /(?<=\bconst (\w+)(?:: [^=;]+)? =\s*)docs &&(?=\s)/g

/** Other texts: what begins an argument, an element, or the value of a property. */
const otherTexts = /(?<=[(,[:]\s*)docs &&(?=\s)/g

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g

/** Finds a text that begins in another place. If a rule read it, the build would not notice. */
const findUntracked = (source: string): string | undefined => {
  const rest = source.replaceAll(comments, '').replaceAll(textConstants, '').replaceAll(otherTexts, '')
  return rest.split('\n').find((line) => /\bdocs\s*(&&|\?)/.test(line))
}

/** A call that nothing defines, in place of a constant that only texts use. The bundler drops it if nothing reads it. */
const marker = 'constantOfTexts'
const writeMarker = (file: string, name: string): string =>
  `/* @__PURE__ */ ${marker}(${JSON.stringify(`${name} of ${file}`)}) || `
const markers = new RegExp(`\\b${marker}\\(["'\`]([^"'\`]+)["'\`]\\)`, 'g')

/** Lists the constants that were left out, and that code in the bundle reads. */
const findUsedConstants = (outputFiles: readonly OutputFile[]): readonly string[] => {
  const code = outputFiles.filter(({ path }) => path.endsWith('.mjs'))
  return [...new Set(code.flatMap(({ text }) => [...text.matchAll(markers)].map(([, name = '']) => name)))]
}

/** Calls that create schemas, fields and models. The bundler drops those that no operation of the function uses. */
const schemas =
  /(?<![\w.])(?=(z(\s*\.\w+)+|\w+\.check|(openM|m)odel|changes|field|settable|compose|listInitials)\()/g

/**
 * Leaves out of functions what only the OpenAPI document says: texts, and the bodies of responses. The bundler drops what
 * never runs, and all that only it uses. The document itself is built beforehand: see `lib/features/pages/open-api.prebuilt.ts`.
 *
 * `docs`, which `bundle.ts` defines as false, begins each text. A constant of texts would be false in a function, so the build fails if
 * anything else reads it. A call that creates a schema and is spelled in another way only stays in the bundle.
 *
 * Worth: without it and `docs`, a start takes 1.09 to 1.5 times the CPU, and 1.03 to 1.15 times without the marks of schemas.
 */
export const withoutDocumentation: Plugin = {
  name: 'without-documentation',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? ''
    build.onEnd(({ outputFiles = [] }) => ({
      errors: findUsedConstants(outputFiles).map((constant) => ({
        text: `${constant} is used outside of texts, but functions contain no texts. Its value must not begin with docs &&.`,
      })),
    }))
    build.onLoad(
      {
        filter:
          /[\\/]lib[\\/](features[\\/](.*[\\/.])?(models|operations)|accounts[\\/](.*[\\/.])?models|published-clients[\\/].*|kernel[\\/]contract[\\/](query|fields))\.ts$/,
      },
      async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const file = relative(root, path)
        const untracked = findUntracked(source)
        if (untracked !== undefined)
          throw new Error(
            `${file}: expected docs && only where the value of a const, an argument or a property begins, and found: ${untracked.trim()}`,
          )
        const contents = source
          .replaceAll(textConstants, (_, name: string) => `${writeMarker(file, name)}docs &&`)
          .replaceAll(schemas, '/* @__PURE__ */ ')
        return { contents, loader: 'ts' }
      },
    )
  },
}

/**
 * Keeps the names of the models of the OpenID provider. The library finds the storage and the lifetime of a model by
 * the name of its class, which minifying changes. Keeping all names of a bundle would add 27 KB to each cold start.
 *
 * Worth: without it, the OpenID provider finds no model.
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

/**
 * Runs modules named `*.prebuilt.ts` at build time. The bundle contains the values of their exports as JSON, and
 * nothing of what computed them.
 *
 * Worth: without it, functions would need the sources of pages and esbuild.
 */
export const prebuiltModules: Plugin = {
  name: 'prebuilt-modules',
  setup(build) {
    build.onLoad({ filter: /\.prebuilt\.ts$/ }, async ({ path }) => {
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href)
      // The order of Node.js. Test runners load modules in other ways, in which names have the order of the source.
      const names = Object.keys(values).sort()
      const lines = names.map((name) => `export const ${name} = ${JSON.stringify(values[name])}`)
      return { contents: hoistRepeatedStyles(lines.join('\n')), loader: 'js' }
    })
  },
}

/** Writes a style that several pages share once, because a function reads all its bytes when it starts. */
const hoistRepeatedStyles = (code: string): string => {
  const styles = [...code.matchAll(/<style>.*?<\/style>/g)].map(([style]) => style)
  const repeated = [...new Set(styles.filter((style, index) => styles.indexOf(style) !== index))]
  const constants = repeated.map((style, index) => `const style${index} = "${style}"`)
  const hoisted = repeated.reduce(
    (text, style, index) => text.replaceAll(style, () => `"+style${index}+"`),
    code,
  )
  return [...constants, hoisted].join('\n')
}
