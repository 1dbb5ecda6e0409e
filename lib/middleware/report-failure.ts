import { AccessError } from './access-error.ts'

/** A line a minute is enough to find out that the service is not there. */
const pauseMs = 60_000

/** How deep causes are read. `fetch` keeps the reason of the network two errors deep. */
const deepest = 5

/** What went wrong, by codes alone: texts of errors may contain parts of a request. */
const findCode = (error: unknown, depth = 0): string | undefined => {
  if (!(error instanceof Error) || depth > deepest) return undefined
  const { code, name, cause } = error as Error & { readonly code?: unknown }
  const inner = findCode(cause, depth + 1)
  if (inner !== undefined) return inner
  if (typeof code === 'string' && /^\w{3,50}$/.test(code) && !(error instanceof AccessError)) return code
  return name === 'TimeoutError' ? name : undefined
}

/** Writes a line to the log of the product if the service could not be asked. Refusals of callers are not reported. */
export type ReportFailure = (error: unknown) => void

/** Creates the report of one middleware. `baseUrl` is in its line, because a wrong one is the most frequent reason. */
export const createReportFailure = (baseUrl: string): ReportFailure => {
  let nextAt = 0
  return (error) => {
    if (!(error instanceof AccessError) || error.code !== 'upstream_failed' || Date.now() < nextAt) return
    nextAt = Date.now() + pauseMs
    const code = findCode(error)
    // biome-ignore lint/suspicious/noConsole: products have no other log that a library knows
    console.error(
      `Latchkey at ${baseUrl} gave no usable answer${code === undefined ? '' : ` (${code})`}, so requests get ${error.status}. Check baseUrl, and whether the service runs. This line comes once a minute at most.`,
    )
  }
}
