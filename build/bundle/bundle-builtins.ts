import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const names = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace(/^node:/, ''))
const filter = new RegExp(`^(node:)?(${names.join('|')})$`)

const whole = 'builtin'
const parts = 'builtin-parts'
const part = 'builtin-part'

/**
 * Loads the modules of Node through `process.getBuiltinModule`. A static import in an ESM bundle evaluates every lazy
 * getter of a module (`node:http` alone loads undici), and `require` calls in the SDK would fail.
 *
 * Worth: without it, a start takes 1.5 to 1.7 times the CPU (`users`, `sessions`, `tickets`, `passwords`).
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter }, ({ path, kind, importer }) => {
      const name = path.replace(/^node:/, '')
      // A library may import all of a module and search it for what it needs.
      return kind === 'import-statement' && !importer.includes('node_modules')
        ? { path: name, namespace: parts, sideEffects: false }
        : { path: name, namespace: whole }
    })
    build.onLoad({ filter: /.*/, namespace: whole }, ({ path }) => ({
      contents: `module.exports = ${loadedLate.has(path) ? forward(path) : getBuiltin(path)}`,
      loader: 'js',
    }))
    build.onLoad({ filter: /.*/, namespace: parts }, ({ path }) => ({
      contents: exportParts(path),
      loader: 'js',
    }))
    build.onResolve({ filter: /^builtin-part:/ }, ({ path }) => ({
      path: path.slice('builtin-part:'.length),
      namespace: part,
      sideEffects: false,
    }))
    build.onLoad({ filter: /.*/, namespace: part }, ({ path }) => {
      const [name = '', key] = path.split('#')
      return { contents: `export const ${key} = ${getBuiltin(name)}.${key}`, loader: 'js' }
    })
  },
}

/**
 * Modules that load much of Node, and that libraries import at their start for calls that they never make: the SDK reads its
 * shared configuration file with `node:fs/promises`, but a function has none.
 */
const loadedLate: ReadonlySet<string> = new Set(['fs/promises'])

/** An object with the names of the module, which loads it when one of them is read. */
const forward = (name: string): string => {
  const keys = Object.keys(process.getBuiltinModule(name) ?? {})
  return `{ ${keys.map((key) => `get ${key}() { return ${getBuiltin(name)}.${key} }`).join(', ')} }`
}

const getBuiltin = (name: string): string => `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`

/**
 * Writes an ESM module, of which the bundler removes what nothing imports. From a CommonJS module, it would copy all
 * properties of the module of Node for each file that imports it, which took 7 % of the start of `users`.
 */
const exportParts = (name: string): string => {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name) ?? {}))
  const lines = properties
    .filter(([key]) => /^[a-z]\w*$/i.test(key) && key !== 'default')
    .map(([key, { get }]) =>
      // A getter may load more of Node. In a file of its own, it runs only where it is used.
      get
        ? `export { ${key} } from 'builtin-part:${name}#${key}'`
        : `const $${key} = /* @__PURE__ */ (() => builtin.${key})(); export { $${key} as ${key} }`,
    )
  return [`const builtin = /* @__PURE__ */ ${getBuiltin(name)}`, 'export default builtin', ...lines].join(
    '\n',
  )
}
