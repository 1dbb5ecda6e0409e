import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePortPair } from '../../local/ports.ts'
import { medianOf } from '../../test/support/cpu-time.ts'
import { readTreeCpuMs } from '../load/process-tree.ts'

/** Times of a start in milliseconds, since the process was created. */
export interface StartTimes {
  /** Until the line `ready`. */
  readonly readyMs: number
  /** Until the first successful response. */
  readonly answerMs: number
  /** CPU time of all processes until then. It hardly depends on other programs. */
  readonly cpuMs: number
}

const startOnce = async (
  command: readonly string[],
  dataDir: string,
  compiled: string,
): Promise<StartTimes> => {
  const port = await findFreePortPair()
  const { PATH } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...(PATH ? { PATH } : {}),
      TMPDIR: compiled,
      DATA_DIR: dataDir,
      PORT: String(port),
      BREACH_ENDPOINT: '',
    },
  })
  const exited = once(child, 'exit')
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    if (/^ready /m.test(output)) break
  }
  child.stdout.resume()
  const readyMs = performance.now() - startedAt
  const { ok } = await fetch(`http://127.0.0.1:${port}/api/2/health`)
  const answerMs = performance.now() - startedAt
  const cpuMs = readTreeCpuMs([child.pid ?? 0])
  child.kill('SIGTERM')
  await exited
  if (!ok) throw new Error(`Latchkey did not start: ${output}`)
  return { readyMs, answerMs, cpuMs }
}

const combine = (times: readonly StartTimes[]): StartTimes => ({
  readyMs: medianOf(times.map(({ readyMs }) => readyMs)),
  answerMs: medianOf(times.map(({ answerMs }) => answerMs)),
  cpuMs: medianOf(times.map(({ cpuMs }) => cpuMs)),
})

/**
 * Measures first starts, in a new folder and without compiled code of earlier starts, and later starts with its data.
 * Returns the medians.
 */
export const measureStart = async (
  command: readonly string[],
  rounds: number,
): Promise<{ readonly first: StartTimes; readonly later: StartTimes }> => {
  const first: StartTimes[] = []
  const later: StartTimes[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'))
    const dataDir = join(folder, 'data')
    first.push(await startOnce(command, dataDir, folder))
    later.push(await startOnce(command, dataDir, folder))
    rmSync(folder, { recursive: true, force: true })
  }
  return { first: combine(first), later: combine(later) }
}
