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
