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

/** From /proc, since small container images have no `ps`. */
const fromProc = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // The name in brackets may hold blanks and brackets; what follows its last one is fixed.
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

/** All living processes below one, without itself. */
export const descendantsOf = (pid: number): Process[] => {
  const all = processes()
  const below = (parent: number): Process[] =>
    all.filter((child) => child.parent === parent).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

/** Which of the processes live on after a few seconds of grace. */
export const survivorsOf = async (pids: readonly number[], graceMs = 10_000): Promise<number[]> => {
  const deadline = performance.now() + graceMs
  for (;;) {
    const alive = processes().filter((p) => pids.includes(p.pid))
    if (alive.length === 0 || performance.now() > deadline) return alive.map((p) => p.pid)
    await sleep(20)
  }
}
