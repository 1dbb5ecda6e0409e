import { readFileSync } from 'node:fs'
import { readTree } from '../load/process-tree.ts'

/** What the processes of a run used. The engine is a process of its own. */
export interface Usage {
  readonly seconds: number
  readonly ownCpuMs: number
  readonly engineCpuMs: number
  readonly ownPeakMb: number
  readonly enginePeakMb: number
}

const engineNames: ReadonlySet<string> = new Set(['dynoxide', 'java'])
const sampleMs = 200

/** Reads the most memory that a process had so far, from `/proc` (proc_pid_status(5)). */
const readPeakMb = (pid: number): number => {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/**
 * Measures a process and its descendants while some work is done. It samples those of another process, because their values
 * are lost when they end.
 */
export const watchProcesses = async (root: number, work: () => Promise<unknown>): Promise<Usage> => {
  const first = new Map(readTree([root]).map(({ pid, cpuMs }) => [pid, cpuMs]))
  const own = { cpuMs: new Map<number, number>(), peakMb: 0 }
  const engine = { cpuMs: new Map<number, number>(), peakMb: 0 }
  const sample = () => {
    for (const { pid, name, cpuMs } of readTree([root])) {
      const side = engineNames.has(name) ? engine : own
      side.cpuMs.set(pid, cpuMs - (first.get(pid) ?? 0))
      side.peakMb = Math.max(side.peakMb, readPeakMb(pid))
    }
  }
  const startedAt = performance.now()
  const timer = root === process.pid ? undefined : setInterval(sample, sampleMs)
  try {
    await work()
    const seconds = (performance.now() - startedAt) / 1000
    sample()
    const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
    return {
      seconds,
      ownCpuMs: sum(own.cpuMs.values()),
      engineCpuMs: sum(engine.cpuMs.values()),
      ownPeakMb: own.peakMb,
      enginePeakMb: engine.peakMb,
    }
  } finally {
    clearInterval(timer)
  }
}
