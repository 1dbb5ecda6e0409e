import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkPort, findFreePort } from '../../local/ports.ts'

export interface ChildServer {
  readonly url: string
  readonly pid: number
  readonly process: ChildProcess
  readonly close: () => Promise<void>
}

const toServer = (child: ChildProcess, port: number): ChildServer => ({
  url: `http://127.0.0.1:${port}`,
  pid: child.pid ?? 0,
  process: child,
  close: async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  },
})

type Environment = Readonly<Record<string, string | undefined>>

/** Starts a Node.js program that listens on `PORT` and sends the message `ready`. @throws Error if it exits. */
export const startNodeServer = async (
  file: string,
  createEnv: (url: string) => Environment,
): Promise<ChildServer> => {
  const port = await findFreePort()
  const child = fork(file, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...createEnv(`http://127.0.0.1:${port}`),
      NODE_ENV: 'production',
      PORT: String(port),
    },
  })
  const hasExited = once(child, 'exit').then(() => true)
  const isReady = once(child, 'message').then(() => false)
  if (await Promise.race([hasExited, isReady])) throw new Error(`${file} did not start`)
  return toServer(child, port)
}

/** Starts a program and waits until something listens on the port. @throws Error if it exits. */
export const startProgram = async (
  createCommand: (port: number) => readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: Environment },
): Promise<ChildServer> => {
  const port = await findFreePort()
  const [program, ...args] = createCommand(port)
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  while (!(await checkPort(port))) {
    if (child.exitCode !== null) throw new Error(`${program} did not start`)
    await sleep(50)
  }
  return toServer(child, port)
}
