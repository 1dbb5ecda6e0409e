import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFunctions } from '../../build/bundle/bundle.ts'
import { listStart } from '../../build/bundle/list-bundle.ts'
import { textTable } from '../support/text-table.ts'
import { budgetFile, setBudget } from './bundle-budgets.ts'

/* Sets the budget of each function from its present size, and prints what functions load: `npm run budgets`. */

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(0)
const outDir = mkdtempSync(join(tmpdir(), 'latchkey-budgets-'))
try {
  const bundles = await bundleFunctions({ outDir })
  const budgets = Object.fromEntries(bundles.map((bundle) => [bundle.name, setBudget(bundle)]))
  writeFileSync(budgetFile, `${JSON.stringify(budgets, undefined, 2)}\n`)
  const rows = bundles.map((bundle) => {
    const largest = listStart(bundle).slice(0, 3)
    const names = largest.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`)
    return [bundle.name, kilobytes(bundle.bytes), kilobytes(bundle.lazyBytes), names.join(', ')]
  })
  process.stdout.write(textTable(['function', 'KB at start', 'KB on demand', 'largest parts at start'], rows))
} finally {
  rmSync(outDir, { recursive: true })
}
