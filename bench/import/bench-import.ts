import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withAws } from '../../local/aws-environment.ts'
import { textTable } from '../../test/support/text-table.ts'
import { createExampleUsers, writeExampleFile } from './example-users.ts'
import { measureFloors } from './measure-floors.ts'
import { type Usage, watchProcesses } from './watch-processes.ts'

/** Users a second, on two idle cores. */
const aim = 2500
/** The CPU time of a user hardly depends on how many there are. */
const mostFloorUsers = 5000

/**
 * Runs the command that imports users into the embedded engine, as in local mode: a new import, the same again, and the
 * export. Compares it with what the engine takes at least.
 */
export const benchImport = async (count: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  process.env = { ...withAws(process.env, { isOwnEngine: true }), DATA_DIR: join(folder, 'data') }
  try {
    const file = join(folder, 'users.csv')
    writeExampleFile(file, createExampleUsers(count, 'import'))
    const floorUsers = Math.min(count, mostFloorUsers)
    const floors = await measureFloors(join(folder, 'floors'), floorUsers)
    const ways: readonly (readonly [string, number, Usage])[] = [
      ['floor: BatchWriteItem of the same items', floorUsers, floors.batches],
      ['floor: transactions of the import alone', floorUsers, floors.transactions],
      ['import', count, await runUsers('import', file)],
      ['the same import again', count, await runUsers('import', file)],
      ['export', count, await runUsers('export', join(folder, 'users.jsonl'))],
    ]
    process.stdout.write(`${formatTable(count, ways)}\n${formatAim(count, ways)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the command in a process of its own, which starts an engine. */
const runUsers = async (...args: readonly string[]): Promise<Usage> => {
  const child = spawn(process.execPath, ['cli/latchkey.ts', 'users', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return watchProcesses(child.pid ?? 0, async () => {
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`users ${args[0]} ended with ${code}: ${errors}`)
  })
}

const formatTable = (count: number, ways: readonly (readonly [string, number, Usage])[]): string => {
  const intro = `Import of ${count} users with email address and password hash into the embedded engine, which stores a file.`
  const rows = ways.map(([name, users, { seconds, ownCpuMs, engineCpuMs, ownPeakMb, enginePeakMb }]) => [
    name,
    (users / seconds).toFixed(0),
    ...[ownCpuMs, engineCpuMs, ownCpuMs + engineCpuMs].map((cpuMs) => (cpuMs / users).toFixed(2)),
    // Floors run in the process of the benchmark, which holds all items.
    name.startsWith('floor') ? '' : ownPeakMb.toFixed(0),
    enginePeakMb.toFixed(0),
  ])
  const headings = ['way', 'users/s', 'own CPU ms', 'engine', 'sum', 'own peak MB', 'engine']
  return `${intro}\n\n${textTable(headings, rows)}`
}

const formatAim = (count: number, ways: readonly (readonly [string, number, Usage])[]): string => {
  const [, , imported] = ways.find(([name]) => name === 'import') ?? []
  const speed = count / (imported?.seconds ?? Number.POSITIVE_INFINITY)
  return `Aim: ${aim} users/s on two idle cores. ${speed >= aim ? 'Met' : 'Missed'}: ${(speed / aim).toFixed(2)} of it.`
}
