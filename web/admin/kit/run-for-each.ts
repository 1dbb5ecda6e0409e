import type { ApiFailure } from '../../kit/call-api.ts'
import { toFailure } from '../../kit/call-api.ts'
import { askForIdentity, reportSignedOut } from '../../session-kit/client.ts'

const callsAtOnce = 6
/** A longer wait is a failure that the person sees, because a page is not left open for hours. */
const longestWaitSeconds = 300

interface RunOptions {
  readonly signal: AbortSignal
  /** Called after each item, with how many worked or failed so far. */
  readonly onProgress?: (count: number) => void
  /** Called when the service asks to wait, and with 0 when the work goes on. */
  readonly onWait?: (seconds: number) => void
}

interface Failed<Item> {
  readonly item: Item
  readonly failure: ApiFailure
  /** What the work threw. */
  readonly error: unknown
}

export interface RunReport<Item> {
  readonly done: readonly Item[]
  readonly failed: readonly Failed<Item>[]
  /** What was not tried, because the person stopped or their session ended. */
  readonly left: readonly Item[]
}

/**
 * Does the same for many things, a few at once. It waits as long as a rate limit asks for, and the person confirms their
 * identity once if the service wants that. A failure of one thing does not end the work for the others.
 */
export const runForEach = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { signal, onProgress, onWait }: RunOptions,
): Promise<RunReport<Item>> => {
  const left = [...items]
  const done: Item[] = []
  const failed: Failed<Item>[] = []
  let isEnded = false
  let pause: Promise<void> | undefined
  let question: Promise<boolean> | undefined
  /** Prepares another attempt. Returns whether there is one. */
  const recover = async ({ status, retryAfterSeconds, problem }: ApiFailure): Promise<boolean> => {
    if (status === 429 && retryAfterSeconds > 0 && retryAfterSeconds <= longestWaitSeconds) {
      onWait?.(retryAfterSeconds)
      pause ??= wait(retryAfterSeconds, signal).finally(() => {
        pause = undefined
        onWait?.(0)
      })
      return true
    }
    if (problem.reason === 'reauthentication_required') {
      question ??= askForIdentity().finally(() => {
        question = undefined
      })
      if (await question) return true
      isEnded = true
    }
    if (problem.code === 'not_authenticated') {
      reportSignedOut()
      isEnded = true
    }
    return false
  }
  const canGoOn = (): boolean => !signal.aborted && !isEnded
  const workOff = async (): Promise<void> => {
    while (canGoOn()) {
      await pause
      const item = canGoOn() ? left.shift() : undefined
      if (item === undefined) return
      try {
        await work(item)
        done.push(item)
      } catch (error) {
        const failure = toFailure(error)
        if ((await recover(failure)) || isEnded) left.push(item)
        else failed.push({ item, failure, error })
      }
      onProgress?.(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, workOff))
  return { done, failed, left }
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
