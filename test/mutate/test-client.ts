import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { RunRequest, RunResult } from './test-process.ts'

/** How a run of test files ended. After a crash of the test process, nothing is known about the tests. */
export type Outcome = RunResult | 'out of time' | 'crashed'

/** Runs test files in a copy of the project, in a process that is started again after it hung. */
export const createTestClient = (tree: string, environment: Readonly<Record<string, string>> = {}) => {
  let child: ChildProcess | undefined
  let all: readonly string[] = []
  const changed = new Set<string>()
  const start = async (): Promise<ChildProcess> => {
    const started = fork('test/mutate/test-process.ts', {
      cwd: tree,
      // With a group of its own, its workers and its engine end with it.
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [files] = await once(started, 'message')
    all = files
    return started
  }
  /** The absolute paths of all test files. */
  const listFiles = async (): Promise<readonly string[]> => {
    child ??= await start()
    return all
  }
  const end = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending?.pid === undefined || ending.exitCode !== null) return
    const exited = once(ending, 'exit')
    process.kill(-ending.pid, 'SIGKILL')
    await exited
  }
  /** Says that a source has changed since the last run. */
  const noteChange = (path: string): void => void changed.add(path)
  const run = async (request: Omit<RunRequest, 'changed'>, limitMs: number): Promise<Outcome> => {
    child ??= await start()
    const running = child
    const stop = new AbortController()
    const answered = once(running, 'message', stop).then(([result]): RunResult => result)
    const exited = once(running, 'exit', stop).then(() => 'crashed' as const)
    running.send({ ...request, changed: [...changed] } satisfies RunRequest)
    changed.clear()
    try {
      const outcome = await Promise.race([
        answered,
        exited,
        setTimeout(limitMs, 'out of time' as const, stop),
      ])
      if (typeof outcome === 'string' || running.exitCode !== null) await end()
      return outcome
    } finally {
      stop.abort()
      await Promise.allSettled([answered, exited])
    }
  }
  return { listFiles, noteChange, run, end }
}
