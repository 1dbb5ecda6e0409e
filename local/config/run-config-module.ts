import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What a module exports, or why it does not. */
interface ModuleResult {
  /** What it exports as default, or what the function returns that it exports. Only what JSON can say. */
  readonly value?: unknown
  /** The module and the files that it imports, without packages. */
  readonly files: readonly string[]
  readonly problem?: string
}

/*
 * Loads the files of a person as modules where their syntax says so. Node.js goes by the package.json beside them, and `npm init` writes
 * `"type": "commonjs"` into it. TypeScript is a module unless its name says otherwise, because nobody writes `require` there.
 */
const hooks = `
import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
const isCommonJs = (url) => {
  try {
    compileFunction(readFileSync(new URL(url), 'utf8'), ['exports', 'require', 'module', '__filename', '__dirname'])
    return true
  } catch {
    return false
  }
}
export const isOwn = (url) => url.startsWith('file:') && !url.includes('/node_modules/')
export const load = (url, context, next) => {
  const [, kind] = /\\.([jt]s)$/.exec(url) ?? []
  const { format } = context
  if (!kind || !isOwn(url) || !/^commonjs|^$/.test(format ?? '')) return next(url, context)
  if (kind === 'ts') return next(url, { ...context, format: 'module-typescript' })
  return isCommonJs(url) ? next(url, context) : next(url, { ...context, format: 'module' })
}
`

/* Runs in a process of its own: a later run sees each change, and what the module does ends with it. */
const program = `
import { writeSync } from 'node:fs'
import module from 'node:module'
const files = []
const hooks = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)}
if (module.registerHooks) {
  const { load, isOwn } = await import(hooks)
  module.registerHooks({
    load: (url, context, next) => {
      if (isOwn(url)) files.push(url)
      return load(url, context, next)
    },
  })
} else module.register(hooks)
const end = (result) => {
  const bytes = Buffer.from(JSON.stringify({ files, ...result }))
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
  process.exit()
}
try {
  const { default: value } = await import(process.argv.at(-1))
  end({ value: typeof value === 'function' ? await value() : value })
} catch (error) {
  const needsNewer = error?.code === 'ERR_UNKNOWN_FILE_EXTENSION' && /[.]ts$/.test(process.argv.at(-1))
  const problem = error instanceof Error ? error.message : String(error)
  end({ problem: needsNewer ? 'TypeScript needs Node.js 22.12 or later, and this is ' + process.version + '.' : problem })
}
`

/** How long a module may run, such as for a request that it waits for. */
const longestRunMs = 60_000

/** TypeScript needs this option in Node.js 22 before 22.18. */
const options = process.versions.node.startsWith('22.')
  ? ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  : []

/** Runs a module in JavaScript or TypeScript. It writes to this terminal, and has its environment. */
export const runConfigModule = async (path: string): Promise<ModuleResult> => {
  const { href } = pathToFileURL(path)
  const child = spawn(process.execPath, [...options, '--input-type=module', '-e', program, href], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    timeout: longestRunMs,
  })
  const output = await text(child.stdio[3] as Readable)
  if (output === '') return { files: [path], problem: 'it ended without a result.' }
  const { files, ...result }: ModuleResult = JSON.parse(output)
  return { ...result, files: [...new Set([path, ...files.map((url) => fileURLToPath(url))])] }
}
