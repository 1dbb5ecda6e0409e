import { existsSync } from 'node:fs'
import { textTable } from '../../test/support/text-table.ts'
import { startLatchkeyWorld } from '../load/latchkey-world.ts'
import { startLoadProcess } from '../load/measure.ts'
import { startLocalMode, startSources } from '../load/start-latchkey.ts'
import { measureCpu } from './measure-cpu.ts'
import { measureMemory } from './measure-memory.ts'
import { measureSignIns } from './measure-sign-ins.ts'
import { measureStart } from './measure-start.ts'

const print = (text: string) => process.stdout.write(text)

const seconds = 3
const signInSeconds = 6
const pageRows = 1000

const starts: Readonly<Record<string, readonly string[]>> = {
  'npm start': ['local/start.ts'],
  'npm exec --no -- latchkey start': ['dist/latchkey/cli/latchkey.js', 'start'],
}

const printStarts = async (rounds: number): Promise<void> => {
  print(
    `Start: milliseconds since the process was created (median of ${rounds}). Aim: ready in less than 1,000.\n\n`,
  )
  const rows: (string | number)[][] = []
  for (const [name, command] of Object.entries(starts)) {
    if (!existsSync(command[0] ?? '')) print(`${name} needs \`npm run build:package\`.\n`)
    else
      for (const [kind, { readyMs, answerMs, cpuMs }] of Object.entries(await measureStart(command, rounds)))
        rows.push([`${name}, ${kind} start`, ...[readyMs, answerMs, cpuMs].map((ms) => ms.toFixed(0))])
  }
  print(textTable(['program', 'ready', 'first response', 'CPU'], rows))
}

const printMemory = async (...[load, local, requests]: Parameters<typeof measureMemory>): Promise<void> => {
  print('\nMemory: resident MB after mixed requests.\n\n')
  const { samples, slopeKb, isFlat, failed } = await measureMemory(load, local, requests)
  const rows = samples.map(({ requests: count, serviceMb, engineMb }) => [
    count.toLocaleString('en'),
    serviceMb.toFixed(1),
    engineMb.toFixed(1),
  ])
  print(textTable(['requests', 'service', 'engine'], rows))
  print(`\n${slopeKb.toFixed(1)} KB for 1,000 requests in the second half: ${isFlat ? 'flat' : 'not flat'}. `)
  print(`Failed: ${failed}.\n`)
}

/** Compares local mode with its handlers alone, and prints four tables. Memory is read until so many requests. */
export const benchLocal = async (requests: number, rounds: number): Promise<void> => {
  const world = await startLatchkeyWorld()
  const load = startLoadProcess()
  try {
    await world.seed(pageRows)
    const targets = { alone: await startSources(world), local: await startLocalMode(world) }
    print(
      `CPU time of a request in milliseconds, with all processes (median of ${rounds}). Aim: a ratio of 1.5.\n\n`,
    )
    const cpuRows = (await measureCpu(load, targets, { rounds, seconds })).map((row) => [
      row.name,
      row.aloneMs.toFixed(2),
      row.localMs.toFixed(2),
      row.ratio.toFixed(2),
      row.failed,
    ])
    print(textTable(['request', 'handler alone', 'npm start', 'ratio', 'failed'], cpuRows))
    print('\nSign-ins, 16 in flight. Aims: a share of 0.95, and p99 of at most 2 × p50.\n\n')
    const signIns = (await measureSignIns(load, targets, { rounds, seconds: signInSeconds })).map((row) => [
      row.name,
      row.perSecond.toFixed(1),
      row.shareOfCores.toFixed(2),
      row.shareOfHashes.toFixed(2),
      row.shareOfCpu.toFixed(2),
      row.p99OverP50.toFixed(2),
      row.failed,
    ])
    const headings = [
      'service',
      'requests/s',
      'of cores ÷ hash',
      'of hashes',
      'of CPU',
      'p99 ÷ p50',
      'failed',
    ]
    print(textTable(headings, signIns))
    await printMemory(load, targets.local, requests)
    await targets.alone.close()
    await targets.local.close()
    print('\n')
    await printStarts(rounds)
  } finally {
    load.close()
    await world.close()
  }
}
