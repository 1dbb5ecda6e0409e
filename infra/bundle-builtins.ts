import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const namespace = 'builtin'
const names = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace(/^node:/, ''))
const filter = new RegExp(`^(node:)?(${names.join('|')})$`)

/**
 * Loads the modules of Node through `process.getBuiltinModule`. A static import in an ESM bundle evaluates every lazy
 * getter of a module (`node:http` alone loads undici), and `require` calls in the SDK would fail.
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
