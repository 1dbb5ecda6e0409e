import { isLatchkeyError, LatchkeyError } from './latchkey-error.ts'

const longestRetryAfterSeconds = 30

/** Waits, or rejects with the reason of the signal. */
const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

/** With these reasons, a request was carried out in part, or may have been carried out. */
const unclearReasons: ReadonlySet<string | undefined> = new Set(['outcome_unknown', 'partly_changed'])

/** Returns the time until a failed attempt may be repeated. Undefined if it must not be. */
const findRetryDelayMs = (error: unknown, method: string, attempt: number): number | undefined => {
  if (!isLatchkeyError(error)) return undefined
  const { status, reason, retryAfterSeconds } = error
  // A 503 of a gateway has no code of the service. The request may then have been carried out.
  const changedNothing =
    status === 429 || (isLatchkeyError(error, 'temporarily_unavailable') && !unclearReasons.has(reason))
  if (changedNothing && retryAfterSeconds !== undefined)
    return retryAfterSeconds <= longestRetryAfterSeconds ? retryAfterSeconds * 1_000 : undefined
  const isPassing = isLatchkeyError(error, 'network_error') || [502, 503, 504].includes(status)
  // The random part keeps clients that failed together from returning together.
  return isPassing && method === 'GET' ? 2 ** attempt * (100 + Math.random() * 100) : undefined
}

/** Repeats a call while `ClientOptions.retries` allows it. */
export const retryCall = async <T>(
  call: () => Promise<T>,
  { method, retries, signal }: { method: string; retries: number; signal: AbortSignal | undefined },
): Promise<T> => {
  for (let attempt = 0; ; attempt++)
    try {
      return await call()
    } catch (error) {
      const delayMs = attempt < retries ? findRetryDelayMs(error, method, attempt) : undefined
      if (delayMs === undefined) throw error
      await wait(delayMs, signal)
    }
}

/**
 * Runs one attempt with a time limit. Failures without a response become a `LatchkeyError`. An abort by the caller
 * rejects with the caller's reason.
 */
export const limitTime = async <T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> => {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await attempt(signal ? AbortSignal.any([signal, timeout]) : timeout)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof LatchkeyError) throw error
    throw timeout.aborted
      ? new LatchkeyError({ code: 'timeout', detail: `No complete response arrived in ${timeoutMs} ms.` })
      : new LatchkeyError({ code: 'network_error', detail: 'No complete response arrived.', cause: error })
  }
}

/** What a call returns: a JSON value, a page of a list, text, nothing, or the address that a browser opens. */
export type Result = 'json' | 'list' | 'text' | 'none' | 'url'

/** What a method needs to know of its operation. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly result: Result
  /** The argument after the path parameters. */
  readonly input: 'body' | 'form' | 'query' | 'no_input'
  /** Whether the operation reads credentials: any, none, or those of the server of a product alone. */
  readonly caller: 'caller' | 'anonymous' | 'product'
}

/** Reads an entry of the generated routes: `GET /api/2/users/{id} json query caller`. */
export const parseRoute = (text: string): Route => {
  const [method, path, result, input, caller] = text.split(' ')
  return { method, path, result, input, caller } as Route
}
