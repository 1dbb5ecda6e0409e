import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { BusyError } from '../lib/kernel/errors/errors.ts'
import type { PasswordWork } from '../lib/kernel/secrets/password-hashes.ts'
import { getModuleUrl } from './child-process.ts'
import { integrationTimeoutMs } from './gateway/request-head.ts'

/** One password to hash, or to check against a stored hash. */
export interface HashJob {
  readonly kind: 'hash' | 'verify'
  readonly password: string
  readonly stored: string | undefined
  readonly cost: number
}

export type HashOutcome = { readonly value: unknown } | { readonly failure: string }

export interface HashThreadsOptions {
  /** The number of threads, one for each core by default. */
  readonly maxThreads?: number
  /** The number of jobs that may wait. Further ones are refused. */
  readonly maxWaiting?: number
  /** How long a job may wait. By default, two jobs in turn have an answer before the gateway stops waiting for it. */
  readonly maxWaitMs?: number
  readonly threadUrl?: URL
  /** Called with the reason if a thread ended unexpectedly. */
  readonly onFailure?: (reason: string) => void
}

export interface HashThreads extends PasswordWork {
  readonly count: () => number
  /** Ends all threads immediately and rejects running and waiting jobs. */
  readonly close: () => Promise<void>
}

interface Task {
  readonly job: HashJob
  /** Refuses the job when it has waited too long. */
  readonly timer: NodeJS.Timeout
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A job needs little more memory than the 4 KB of bcrypt's state. */
const memoryMb = 64

/**
 * Hashes and checks passwords in threads, because each takes a core for a long time. Jobs run in the order in which they
 * arrive, so that all wait about as long. A thread is started when a job finds none free.
 */
export const startHashThreads = (options: HashThreadsOptions = {}): HashThreads => {
  const {
    maxThreads = availableParallelism(),
    maxWaiting = 1000,
    maxWaitMs = integrationTimeoutMs / 3,
  } = options
  const { threadUrl = getModuleUrl('./hash-thread'), onFailure } = options
  const running = new Map<Worker, Task | undefined>()
  const idle: Worker[] = []
  const waiting: Task[] = []
  let isClosing = false

  const addThread = (): Worker => {
    const worker = new Worker(threadUrl, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    let cause = 'It exited.'
    running.set(worker, undefined)
    worker.on('message', (outcome: HashOutcome) => {
      const task = running.get(worker)
      running.set(worker, undefined)
      idle.push(worker)
      if ('value' in outcome) task?.resolve(outcome.value)
      else task?.reject(new Error(outcome.failure))
      dispatch()
    })
    worker.on('error', (error: Error) => {
      cause = error.message
    })
    worker.once('exit', () => {
      const task = running.get(worker)
      running.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      task?.reject(new Error(`A thread that hashes passwords ended. ${cause}`))
      if (isClosing) return
      onFailure?.(`A thread that hashes passwords ended. ${cause}`)
      dispatch()
    })
    return worker
  }

  const dispatch = (): void => {
    for (;;) {
      const [task] = waiting
      if (!task) return
      const thread = idle.shift() ?? (running.size < maxThreads ? addThread() : undefined)
      if (!thread) return
      waiting.shift()
      clearTimeout(task.timer)
      running.set(thread, task)
      thread.postMessage(task.job)
    }
  }

  const run = (job: HashJob): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosing) return reject(new Error('The service is stopping.'))
      if (waiting.length >= maxWaiting) return reject(new BusyError('too many passwords wait to be hashed'))
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(task), 1)
        reject(new BusyError('a password waited too long to be hashed'))
      }, maxWaitMs)
      const task: Task = { job, timer, resolve, reject }
      waiting.push(task)
      dispatch()
    })

  return {
    hash: async (password, cost) => String(await run({ kind: 'hash', password, stored: undefined, cost })),
    verify: async (password, stored, cost) =>
      (await run({ kind: 'verify', password, stored, cost })) === true,
    count: () => running.size,
    close: async () => {
      isClosing = true
      for (const task of waiting.splice(0)) {
        clearTimeout(task.timer)
        task.reject(new Error('The service is stopping.'))
      }
      await Promise.all([...running.keys()].map((worker) => worker.terminate()))
    },
  }
}
