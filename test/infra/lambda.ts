import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '../support/client.ts'
import { compileCacheSetting } from '../support/shared-folder.ts'

export interface RunningFunction {
  readonly invoke: (event: unknown) => Promise<JsonValue>
  /** The log of the function. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

const child = fileURLToPath(new URL('lambda-child.ts', import.meta.url))

/** Starts the code of a function in a process with only the given environment. */
export const startFunction = async (
  codeDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningFunction> => {
  const running = fork(child, [join(codeDir, 'index.mjs')], {
    env: { ...environment, ...compileCacheSetting() },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  running.stdout?.on('data', (chunk) => {
    output += chunk
  })
  running.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const waiting = new Map<number, { resolve: (result: JsonValue) => void; reject: (error: Error) => void }>()
  const exited = once(running, 'exit').then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`the function ended: ${output}`))
    throw new Error(`the function ended: ${output}`)
  })
  exited.catch(() => {})
  await Promise.race([once(running, 'message'), exited])
  running.on('message', ({ id, result, error }: JsonValue) => {
    const invocation = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) invocation?.resolve(result)
    else invocation?.reject(new Error(error))
  })
  let invocations = 0
  return {
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const id = ++invocations
        waiting.set(id, { resolve, reject })
        running.send({ id, event })
      }),
    log: () => output,
    stop: async () => {
      running.kill('SIGKILL')
      await exited.catch(() => {})
    },
  }
}
