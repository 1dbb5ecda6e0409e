import { setTimeout as sleep } from 'node:timers/promises'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { codeOf } from '../../local/command-failure.ts'

export type Area = 'outside' | 'signed in' | 'inside' | 'probe'

/** One thing to verify. */
export interface Check {
  /** A short name for scripts. */
  readonly id: string
  readonly area: Area
  readonly title: string
  /** What to do if it fails. */
  readonly advice: string
  /** The section of the documentation about it. */
  readonly docs: `docs/${string}.md#${string}`
  /** Returns what was found. @throws Failed, Skipped, or any other error, which counts as a failure */
  readonly run: (signal: AbortSignal) => Promise<string>
}

/** A check of an area that its list does not name. */
export type AreaCheck = Omit<Check, 'area'>

export const placeIn = (area: Area, checks: readonly AreaCheck[]): readonly Check[] =>
  checks.map((check) => ({ ...check, area }))

export interface CheckResult extends Pick<Check, 'id' | 'area' | 'title'> {
  readonly status: 'ok' | 'failed' | 'skipped'
  /** What was found, what is wrong, or why the check was skipped. */
  readonly detail: string
  /** What to do. Only for a failed check, as is `docs`. */
  readonly advice?: string
  readonly docs?: Check['docs']
  readonly durationMs: number
}

/** A check found a problem. */
export class Failed extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Failed'
  }
}

/** A check does not apply, or cannot be made. */
export class Skipped extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'Skipped'
  }
}

export interface RunOptions {
  /** The longest time of a check. */
  readonly checkMs: number
  /** The longest time of one request to the service. By default 8 seconds. */
  readonly callMs?: number
  /** Aborted when the person at the terminal interrupts the command, or when the time of all checks is over. */
  readonly signal: AbortSignal
  readonly onResult: (result: CheckResult) => void
}

/** Starts all checks at the same time. The returned function reports the results in the order of the checks. */
export const startTogether = (checks: readonly Check[], options: RunOptions): (() => Promise<void>) => {
  const running = checks.map((check) => runCheck(check, options))
  return async () => {
    for (const result of running) options.onResult(await result)
  }
}

/** Runs checks that depend on each other. */
export const runInOrder = async (checks: readonly Check[], options: RunOptions): Promise<void> => {
  for (const check of checks) options.onResult(await runCheck(check, options))
}

/** Never throws, so that no check stops another one. A check that ignores its signal ends all the same. */
const runCheck = async (
  { id, area, title, advice, docs, run }: Check,
  { checkMs, signal }: RunOptions,
): Promise<CheckResult> => {
  const startedAt = performance.now()
  const ended = new AbortController()
  const both = AbortSignal.any([signal, ended.signal])
  const late = sleep(checkMs, undefined, { signal: both }).then(() => {
    throw new Failed(`There was no result within ${checkMs / 1000} seconds.`)
  })
  const end = (
    status: CheckResult['status'],
    detail: string,
    advised: Pick<Check, 'advice' | 'docs'> = { advice, docs },
  ): CheckResult => ({
    id,
    area,
    title,
    status,
    detail,
    ...(status === 'failed' ? advised : {}),
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    signal.throwIfAborted()
    return end('ok', await Promise.race([run(both), late]))
  } catch (error) {
    if (isTimeout(signal)) return end('failed', 'The time for all checks was over.')
    if (signal.aborted) return end('skipped', 'The command was interrupted.')
    if (error instanceof Skipped) return end('skipped', error.message)
    if (error instanceof Failed) return end('failed', error.message)
    return end('failed', describeError(error), adviseToConnect(area))
  } finally {
    ended.abort()
    late.catch(() => {})
  }
}

const isTimeout = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason as Error | undefined)?.name === 'TimeoutError'

/** What a check is about does not explain that its requests do not arrive. */
const adviseToConnect = (area: Area): Pick<Check, 'advice' | 'docs'> => ({
  advice:
    area === 'inside'
      ? 'See whether this machine reaches AWS, and verify again.'
      : 'See what the checks dns and certificate say, and whether proxies or firewalls are between this machine and the service.',
  docs: 'docs/deploy.md#check-the-deployment',
})

/** `fetch` has the reason only in the cause. */
const describeError = (error: unknown): string => {
  const { cause } = error as { readonly cause?: unknown }
  const reason = cause === undefined ? getErrorMessage(error) : codeOf(cause) || getErrorMessage(cause)
  return `The check could not be completed: ${reason}.`
}
