import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFunctions } from '../build/bundle/bundle.ts'
import { listStart } from '../build/bundle/list-bundle.ts'
import { textTable } from '../test/support/text-table.ts'
import type { InitTime } from './init-times.ts'

/** What the start of a function may take more than an empty handler. */
const aimMs = 30
/** These functions load libraries for SAML and OpenID Connect, and have no aim. */
const isFederation = (name: string): boolean => /^(saml-|oidc)/.test(name)

/**
 * Formats the CPU time of each start, with the aim and whether it is met. The aim is about the thread that imports the
 * bundle. Others read the certificates of authorities for TLS (Node.js starts this) and collect garbage.
 */
export const formatInit = (times: readonly InitTime[], rounds: number): string => {
  const table = textTable(
    ['function', 'KB', 'CPU ms, main thread', 'CPU ms, all threads', 'ms', 'aim', 'result'],
    times.map(({ name, tunedBytes, tuned }) => [
      name,
      (tunedBytes / 1024).toFixed(0),
      tuned.threadMs.toFixed(1),
      tuned.cpuMs.toFixed(1),
      tuned.ms.toFixed(1),
      isFederation(name) ? '' : aimMs,
      isFederation(name) ? '' : tuned.threadMs <= aimMs ? 'met' : 'missed',
    ]),
  )
  return `Cold start: import of each bundle in a new process, above an empty handler (median of ${rounds}, by turns).\n\n${table}`
}

/** Prints the packages and folders that the function loads at its start. */
export const printStart = async (name: string): Promise<void> => {
  const outDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  try {
    for (const bundle of await bundleFunctions({ outDir, groups: [name] })) {
      const rows = listStart(bundle).map((part) => [part.name, part.bytes])
      const sizes = `${bundle.bytes} bytes at the start, ${bundle.lazyBytes} on demand`
      process.stdout.write(`${bundle.name}: ${sizes}.\n\n${textTable(['part', 'bytes'], rows)}`)
    }
  } finally {
    rmSync(outDir, { recursive: true })
  }
}
