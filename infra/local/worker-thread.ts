import { Worker } from 'node:worker_threads'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { getModuleUrl } from './module-url.ts'

/** The settings of a worker. */
export interface WorkerSettings {
  readonly functionsUrl: string
  readonly timeoutMs: number
}

/** One request for the handler of a group. */
export interface Job {
  readonly group: string
  readonly event: APIGatewayProxyEventV2
}

/** The handler's result, or the reason of the failure, which only the terminal shows. */
export type JobOutcome = { readonly result: unknown } | { readonly failure: string }

export type RunOutcome = JobOutcome | { readonly ended: string } | 'timed out'

/** A thread that runs handlers, one request at a time. */
export interface WorkerThread {
  /** Resolves when the thread accepts requests; rejects if it ended before. */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  /** Runs a job. The thread cannot be reused after a timeout or if it ended. */
  readonly run: (job: Job) => Promise<RunOutcome>
  readonly end: () => Promise<void>
}

const memoryMb = 512

/** Starts a thread with its own environment. A request that takes too long ends the thread. */
export const startWorkerThread = (settings: WorkerSettings, env: NodeJS.ProcessEnv): WorkerThread => {
  const worker = new Worker(getModuleUrl('./worker'), {
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
  // A rejection without a listener must not end the process.
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
