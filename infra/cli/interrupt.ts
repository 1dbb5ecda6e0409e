import { exitCodes } from './failure.ts'

/** Signals closer than this are one: npm passes on the Ctrl-C that the terminal has sent to us already. */
const sameSignalMs = 300

/** Aborts at the first Ctrl-C, for ending in good order; a second one ends at once. */
export const interruption = (): AbortSignal => {
  const controller = new AbortController()
  let since: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    if (since !== undefined && now - since > sameSignalMs) process.exit(exitCodes.interrupted)
    since ??= now
    controller.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  return controller.signal
}
