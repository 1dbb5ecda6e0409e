import { availableParallelism } from 'node:os'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { createGatewayResult, gatewayAnswers } from './gateway-answers.ts'
import { type Job, type RunOutcome, startWorkerThread, type WorkerThread } from './worker-thread.ts'

type Result = APIGatewayProxyStructuredResultV2

export interface WorkersOptions {
  /** The environment of the functions. */
  readonly env: NodeJS.ProcessEnv
  /** The folder that contains a folder for each group. */
  readonly functionsUrl?: URL
  readonly minWorkers?: number
  readonly maxWorkers?: number
  /** After this time a request is canceled and its worker replaced, like on Lambda. */
  readonly timeoutMs?: number
  /** The number of requests of one group that may wait for a worker. */
  readonly maxWaiting?: number
  /** Called with the reason of a failed request. Only the terminal shows it, not the response. */
  readonly onFailure?: (reason: string) => void
}

export interface Workers {
  /** Resolves when the first workers accept requests; rejects if they cannot start. */
  readonly ready: Promise<void>
  /** Runs the handler of a group. Rejects if it fails. Overload and timeouts resolve with a 503 response. */
  readonly invoke: (group: string, event: APIGatewayProxyEventV2) => Promise<Result>
  readonly count: () => number
  /** Ends all workers immediately and rejects running and waiting requests. */
  readonly close: () => Promise<void>
}

interface Task extends Job {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * Runs handlers in threads that process one request at a time, like Lambda instances. Threads are added as needed up
 * to a limit. One group never uses all of them, so slow sign-ins leave a worker for other requests.
 */
export const startWorkers = (options: WorkersOptions): Workers => {
  const {
    functionsUrl = new URL('../../functions/', import.meta.url),
    minWorkers = 2,
    maxWorkers = Math.max(4, 2 * availableParallelism()),
    timeoutMs = 30_000,
    maxWaiting = 1000,
    onFailure,
  } = options
  const groupLimit = Math.max(1, maxWorkers - 1)
  const threads = new Set<WorkerThread>()
  const starting = new Set<WorkerThread>()
  // A queue: consecutive requests use different workers, which reveals handlers that depend on state in memory.
  const idle: WorkerThread[] = []
  const waiting: Task[] = []
  const running: Task[] = []
  let isClosing = false

  const countGroup = (tasks: readonly Task[], group: string) =>
    tasks.filter((task) => task.group === group).length

  const add = (): WorkerThread => {
    const thread = startWorkerThread({ functionsUrl: functionsUrl.href, timeoutMs }, options.env)
    threads.add(thread)
    starting.add(thread)
    thread.ready.then(
      () => {
        starting.delete(thread)
        rest(thread)
      },
      (error: Error) => failWaiting(error),
    )
    thread.exited.then(() => {
      const wasReady = !starting.delete(thread)
      threads.delete(thread)
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
      if (isClosing) return
      // A thread that cannot start would fail repeatedly. The next request tries again.
      if (wasReady && threads.size < minWorkers) add()
      dispatch()
    })
    return thread
  }

  const rest = (thread: WorkerThread): void => {
    idle.push(thread)
    dispatch()
  }

  const failWaiting = (error: Error): void => {
    for (const task of waiting.splice(0)) task.reject(error)
  }

  const dispatch = (): void => {
    for (;;) {
      const next = waiting.findIndex((task) => countGroup(running, task.group) < groupLimit)
      if (next < 0) return
      const thread = idle.shift()
      if (!thread) {
        if (threads.size < maxWorkers && starting.size < waiting.length) add()
        return
      }
      const [task] = waiting.splice(next, 1)
      if (task) work(thread, task)
    }
  }

  const work = async (thread: WorkerThread, task: Task): Promise<void> => {
    running.push(task)
    const outcome = await thread.run({ group: task.group, event: task.event })
    running.splice(running.indexOf(task), 1)
    settle(task, outcome)
    if (outcome !== 'timed out' && !('ended' in outcome)) rest(thread)
  }

  const settle = (task: Task, outcome: RunOutcome): void => {
    if (outcome === 'timed out') {
      onFailure?.(`A request to ${task.group} was canceled after ${timeoutMs / 1000} s.`)
      task.resolve(createGatewayResult(gatewayAnswers.unavailable))
    } else if ('result' in outcome) {
      task.resolve(outcome.result as Result)
    } else {
      const reason =
        'failure' in outcome ? outcome.failure : `The worker of ${task.group} ended. ${outcome.ended}`
      if (!isClosing) onFailure?.(reason)
      task.reject(new Error('The handler failed.'))
    }
  }

  const first = Array.from({ length: minWorkers }, add)
  return {
    ready: Promise.all(first.map((thread) => thread.ready)).then(() => {}),
    invoke: (group, event) => {
      if (countGroup(waiting, group) >= maxWaiting) {
        return Promise.resolve(createGatewayResult(gatewayAnswers.unavailable))
      }
      return new Promise((resolve, reject) => {
        if (isClosing) return reject(new Error('The service is stopping.'))
        waiting.push({ group, event, resolve, reject })
        dispatch()
      })
    },
    count: () => threads.size,
    close: async () => {
      isClosing = true
      failWaiting(new Error('The service is stopping.'))
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}
