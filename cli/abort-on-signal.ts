import { exitCodes } from './command-failure.ts'

/** Signals this close together are one: the terminal sends Ctrl-C to this process, and npm sends it again. */
const sameSignalMs = 300

/** Returns a signal that aborts at the first Ctrl-C, to end cleanly. A second Ctrl-C ends the process at once. */
export const abortOnSignal = (): AbortSignal => {
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
