import { fork } from 'node:child_process'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '../support/client.ts'
import { compileCacheSetting, shareFolder } from '../support/shared-folder.ts'

/** The time of a test, which may be another one than that of the machine. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the time stands still. */
  readonly isFrozen: boolean
}

export interface Invocation {
  readonly id: number
  readonly event: unknown
  /** The name by which the caller invoked it, if it is one of an alias. */
  readonly invokedFunctionArn?: string | undefined
  readonly clock?: Clock | undefined
  /** Where the function asks for names. */
  readonly dnsServers: readonly string[]
}

export interface FunctionOptions {
  /** Called with each line that the function logs, before its result arrives. */
  readonly onLog?: (text: string) => void
  /** Returns the time at which the function runs. */
  readonly readClock?: () => Clock
}

export interface RunningFunction {
  readonly invoke: (event: unknown, invokedFunctionArn?: string) => Promise<JsonValue>
  /** The log of the function. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

/** Compiles the program of the processes once per run. Each of them would load the compiler for it. */
const shareChild = async (): Promise<string> => {
  const folder = await shareFolder('lambda-child', async (outdir) => {
    const { build } = await import('esbuild')
    const entry = fileURLToPath(new URL('lambda-child.ts', import.meta.url))
    const entryPoints = { 'lambda-child': entry }
    const outExtension = { '.js': '.mjs' }
    await build({ entryPoints, outdir, outExtension, bundle: true, platform: 'node', format: 'esm' })
  })
  return join(folder, 'lambda-child.mjs')
}

/** Starts the code of a function in a process with only the given environment. */
export const startFunction = async (
  codeDir: string,
  environment: Readonly<Record<string, string>>,
  { onLog, readClock }: FunctionOptions = {},
): Promise<RunningFunction> => {
  const running = fork(await shareChild(), [join(codeDir, 'index.mjs')], {
    env: { ...environment, ...compileCacheSetting() },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const collect = (chunk: unknown) => {
    output += chunk
  }
  running.stdout?.on('data', collect)
  running.stderr?.on('data', collect)
  const waiting = new Map<number, { resolve: (result: JsonValue) => void; reject: (error: Error) => void }>()
  const exited = once(running, 'exit').then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`the function ended: ${output}`))
    throw new Error(`the function ended: ${output}`)
  })
  exited.catch(() => {})
  const ready = new Promise<void>((resolve) => {
    running.on('message', ({ ready: isReady, log, id, result, error }: JsonValue) => {
      if (isReady) return resolve()
      if (log !== undefined) {
        collect(log)
        return onLog?.(log)
      }
      const invocation = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) invocation?.resolve(result)
      else invocation?.reject(new Error(error))
    })
  })
  await Promise.race([ready, exited])
  let invocations = 0
  return {
    invoke: (event, invokedFunctionArn) =>
      new Promise((resolve, reject) => {
        const id = ++invocations
        waiting.set(id, { resolve, reject })
        running.send({
          id,
          event,
          invokedFunctionArn,
          clock: readClock?.(),
          dnsServers: dns.getServers(),
        } satisfies Invocation)
      }),
    log: () => output,
    stop: async () => {
      running.kill('SIGKILL')
      await exited.catch(() => {})
    },
  }
}
