import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePortPair } from '../../local/ports.ts'
import { compileCacheSetting } from './shared-folder.ts'

export interface LocalService {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly process: ChildProcessWithoutNullStreams
  /** Everything that was printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
}

const running = new Set<ChildProcessWithoutNullStreams>()

/** Runs the same program as `npm start`. Only the given settings are passed on, not those of this process. */
export const runStart = (env: Readonly<Record<string, string>>): LocalService => {
  const { PATH } = process.env
  const child = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...(PATH ? { PATH } : {}),
      ...compileCacheSetting(),
      PASSWORD_COST: '4',
      BREACH_ENDPOINT: '',
      ...env,
    },
  })
  running.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const { PORT = 3000 } = env
  const port = Number(PORT)
  return {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
  }
}

/** Starts Latchkey on a free port and waits until it is ready. @throws Error with its output if it exits. */
export const startService = async (env: Readonly<Record<string, string>>): Promise<LocalService> => {
  const service = runStart({ PORT: String(await findFreePortPair()), ...env })
  const hasEnded = service.exited.then(() => true)
  while (!/^ready /m.test(service.stdout())) {
    const ended = await Promise.race([hasEnded, once(service.process.stdout, 'data').then(() => false)])
    if (ended) throw new Error(`Latchkey did not start: ${service.stderr()}${service.stdout()}`)
  }
  return service
}

/** Ends all services that a test left running. */
export const endServices = async (): Promise<void> => {
  await Promise.all(
    [...running].map((child) => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      return closed
    }),
  )
}
