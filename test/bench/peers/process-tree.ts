import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Times {
  readonly parent: number
  /** CPU time in user and system mode, with that of children that have ended. */
  readonly ticks: number
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
    return { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) }
  } catch {
    return undefined
  }
}

/** Returns the CPU time in milliseconds that processes and all their descendants have used since they started. */
export const readTreeCpuMs = (roots: readonly number[]): number => {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const all = new Map<number, Times>()
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined
    if (times) all.set(Number(name), times)
  }
  const counted = new Set(roots)
  // Iterating over a set includes the elements added during the loop.
  for (const parent of counted) for (const [pid, times] of all) if (times.parent === parent) counted.add(pid)
  const ticks = [...counted].reduce((sum, pid) => sum + (all.get(pid)?.ticks ?? 0), 0)
  return (ticks * 1000) / ticksPerSecond
}
