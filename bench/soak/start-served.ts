import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Memory, ServedTable } from './serve.ts'

/** Starts the handlers in another process: see `serve.ts`. */
export const startServed = async (settings: Readonly<Record<string, string>>) => {
  const child = fork(new URL('./serve.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: ['--expose-gc'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const ask = async <Answer>(message?: string): Promise<Answer> => {
    const answered = once(child, 'message').then(([answer]) => answer as Answer)
    if (message) child.send(message)
    const ended = exited.then((code) => {
      throw new Error(`the handlers ended with ${code}`)
    })
    return Promise.race([answered, ended])
  }
  const served = await ask<ServedTable>()
  return {
    ...served,
    measureMemory: () => ask<Memory>('measure'),
    /** Returns what was wrong with the answers and table calls of the handlers, if anything. */
    close: async (): Promise<string | undefined> => {
      let failure: string | undefined
      child.on('message', (message) => {
        failure = (message as { failure?: string }).failure
      })
      child.send('close')
      const code = await exited
      return code === 0 ? undefined : (failure ?? `the handlers ended with ${code}`)
    },
    kill: () => child.kill(),
  }
}
