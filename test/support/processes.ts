import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly isZombie: boolean
  readonly command: string
}

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Reads processes from /proc, because small container images have no `ps`. */
const fromProc = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // The process name in parentheses may contain spaces and parentheses. The fields after the last one are fixed.
      const [state, parent] = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
      if (!state || !parent) return []
      const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
      return [{ pid: Number(pid), parent: Number(parent), isZombie: state === 'Z', command }]
    })

const fromPs = (): Process[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state, ...command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      isZombie: state?.startsWith('Z') ?? true,
      command: command.join(' '),
    }))

const processes = (): Process[] =>
  (existsSync('/proc/self/stat') ? fromProc() : fromPs()).filter((p) => !p.isZombie)

/** Returns all running descendants of a process. */
export const descendantsOf = (pid: number): Process[] => {
  const all = processes()
  const below = (parent: number): Process[] =>
    all.filter((child) => child.parent === parent).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

/** Waits up to `graceMs` for the processes to end, and returns those that still run. */
export const survivorsOf = async (pids: readonly number[], graceMs = 10_000): Promise<number[]> => {
  const deadline = performance.now() + graceMs
  for (;;) {
    const running = processes().filter((p) => pids.includes(p.pid))
    if (running.length === 0 || performance.now() > deadline) return running.map((p) => p.pid)
    await sleep(20)
  }
}
