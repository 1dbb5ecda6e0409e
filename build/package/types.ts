import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes the type declarations of the entries, for ES modules (`.d.ts`) and for CommonJS (`.d.cts`). */
export const writeTypes = (root: string, entries: readonly string[], outdir: string): void => {
  const emitted = mkdtempSync(join(tmpdir(), 'latchkey-types-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', join(root, 'build/package'), '--outDir', emitted], {
      stdio: 'inherit',
    })
    copyReachable(emitted, entries, outdir)
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** The compiler also describes modules that no type of an entry mentions. The package does not contain those. */
const copyReachable = (emitted: string, entries: readonly string[], outdir: string): void => {
  const modules = new Set(entries)
  // Iterating over a set includes the elements added during the loop.
  for (const module of modules) {
    const text = readFileSync(join(emitted, `${module}.d.ts`), 'utf8')
    for (const [, , path = ''] of text.matchAll(relativeImport)) modules.add(join(dirname(module), path))
    mkdirSync(join(outdir, dirname(module)), { recursive: true })
    writeFileSync(join(outdir, `${module}.d.ts`), text.replaceAll(relativeImport, '$1$2.js'))
    writeFileSync(join(outdir, `${module}.d.cts`), text.replaceAll(relativeImport, '$1$2.cjs'))
  }
}

const relativeImport = /((?:from |import\()['"])(\.{1,2}\/[^'"]*)\.[jt]s(?=['"])/g
