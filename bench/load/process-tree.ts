import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Times {
  /** The name of the program, with at most 15 characters. */
  readonly name: string
  readonly parent: number
  /** CPU time in user and system mode. */
  readonly ticks: number
  /** The CPU time of children that have ended. */
  readonly endedTicks: number
}

let ticksPerSecond: number | undefined

/** Reads a process from `/proc` (proc_pid_stat(5)). Returns undefined if it has ended. */
const readTimes = (pid: string): Times | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces. The fields after it are fixed.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0] = fields.slice(1, 2)
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { name, parent, ticks: user + system, endedTicks: endedUser + endedSystem }
  } catch {
    return undefined
  }
}

export interface ProcessTime {
  readonly pid: number
  readonly name: string
  /** Since it started. */
  readonly cpuMs: number
  /** The same of its children that have ended. */
  readonly endedCpuMs: number
}

/** Returns the processes and all their descendants. */
export const readTree = (roots: readonly number[]): readonly ProcessTime[] => {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const msPerTick = 1000 / ticksPerSecond
  const all = new Map<number, Times>()
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined
    if (times) all.set(Number(name), times)
  }
  const counted = new Set(roots)
  // Iterating over a set includes the elements added during the loop.
  for (const parent of counted) for (const [pid, times] of all) if (times.parent === parent) counted.add(pid)
  return [...counted].flatMap((pid) => {
    const times = all.get(pid)
    if (!times) return []
    const { name, ticks, endedTicks } = times
    return [{ pid, name, cpuMs: ticks * msPerTick, endedCpuMs: endedTicks * msPerTick }]
  })
}

/** Returns the CPU time in milliseconds that processes and all their descendants have used since they started. */
export const readTreeCpuMs = (roots: readonly number[]): number =>
  readTree(roots).reduce((sum, { cpuMs, endedCpuMs }) => sum + cpuMs + endedCpuMs, 0)
