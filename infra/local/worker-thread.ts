import { Worker } from 'node:worker_threads'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** What a worker is told when it starts. */
export interface WorkerSettings {
  readonly functionsUrl: string
  readonly timeoutMs: number
}

/** One request for the handler of a group. */
export interface Job {
  readonly group: string
  readonly event: APIGatewayProxyEventV2
}

/** What the worker says of it: what the handler returned, or for the terminal alone why it failed. */
export type JobOutcome = { readonly result: unknown } | { readonly failure: string }

export type RunOutcome = JobOutcome | { readonly ended: string } | 'timed out'

/** A thread that runs handlers, one request at a time. */
export interface WorkerThread {
  /** Resolves when it takes requests; rejects when it ended before. */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  /** Runs a job. When it took too long, or the thread ended over it, the thread is of no more use. */
  readonly run: (job: Job) => Promise<RunOutcome>
  readonly end: () => Promise<void>
}

const memoryMb = 512

/** Starts a thread with an environment of its own. It ends itself over a request that takes too long. */
export const startWorkerThread = (settings: WorkerSettings, env: NodeJS.ProcessEnv): WorkerThread => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: settings,
    env,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let cause = 'It exited.'
  let settle: (outcome: RunOutcome) => void = () => {}
  worker.on('error', (error: Error) => {
    cause = error.stack ?? error.message
  })
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      settle({ ended: cause })
      resolve()
    })
  })
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      worker.on('message', (outcome: JobOutcome) => settle(outcome))
      resolve()
    })
    exited.then(() => reject(new Error(`A worker did not start. ${cause}`)))
  })
  // Whoever waits for it is told; that nobody does is no reason to end the process.
  ready.catch(() => {})

  const run = (job: Job) =>
    new Promise<RunOutcome>((resolve) => {
      const timer = setTimeout(() => {
        resolve('timed out')
        worker.terminate()
      }, settings.timeoutMs)
      settle = (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      }
      worker.postMessage(job)
    })

  return {
    ready,
    exited,
    run,
    end: async () => {
      await worker.terminate()
    },
  }
}
