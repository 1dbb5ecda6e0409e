import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const namespace = 'builtin'
const names = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace(/^node:/, ''))
const filter = new RegExp(`^(node:)?(${names.join('|')})$`)

/**
 * Reads the modules of Node through `process.getBuiltinModule`. An ESM bundle would import them, which evaluates
 * every lazy getter they have (`node:http` alone then loads undici), and the SDK's `require` of them would fail.
 */
export const builtins: Plugin = {
  name: namespace,
  setup(build) {
    build.onResolve({ filter }, ({ path }) => ({ path: path.replace(/^node:/, ''), namespace }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${path}`)})`,
      loader: 'js',
    }))
  },
}
