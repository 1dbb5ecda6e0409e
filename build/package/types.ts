import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TypesRequest {
  /** The source, without its extension. */
  readonly entry: string
  readonly outdir: string
}

/** Writes the type declarations of entries, for ES modules (`.d.ts`) and for CommonJS (`.d.cts`). */
export const writeTypes = (root: string, requests: readonly TypesRequest[]): void => {
  const emitted = mkdtempSync(join(tmpdir(), 'latchkey-types-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', join(root, 'build/package'), '--outDir', emitted], {
      stdio: 'inherit',
    })
    for (const { entry, outdir } of requests) copyReachable(emitted, entry, outdir)
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/**
 * Copies the declarations of an entry and of all modules that they mention. The compiler also describes modules that no type
 * of an entry mentions. The package does not contain those.
 */
const copyReachable = (emitted: string, entry: string, outdir: string): void => {
  const readModule = (module: string): string => readFileSync(join(emitted, `${module}.d.ts`), 'utf8')
  const modules = new Set([entry])
  // Iterating over a set includes the elements added during the loop.
  for (const module of modules) {
    const text = readModule(module)
    const resolve = (path: string): string => join(dirname(module), path)
    for (const [, , path = ''] of text.matchAll(relativeImport)) modules.add(resolve(path))
    mkdirSync(join(outdir, dirname(module)), { recursive: true })
    const toCommonJs = text.replaceAll(relativeImport, '$1$2.cjs')
    writeFileSync(join(outdir, `${module}.d.cts`), toCommonJs)
    if (hasTypesOnly(text)) continue
    const toEsm = text.replaceAll(
      relativeImport,
      (_, start: string, path: string) =>
        `${start}${path}${hasTypesOnly(readModule(resolve(path))) ? '.cjs' : '.js'}`,
    )
    writeFileSync(join(outdir, `${module}.d.ts`), toEsm)
  }
}

/** Whether a module has no values. Both kinds of modules then share one file, because it exists for the compiler alone. */
const hasTypesOnly = (text: string): boolean => !/^(?:export )?declare |^export (?:\{|\*|default)/m.test(text)

const relativeImport = /((?:from |import\()['"])(\.{1,2}\/[^'"]*)\.[jt]s(?=['"])/g
