/** The exit codes of the command, for scripts. */
export const exitCodes = { done: 0, someRefused: 1, failed: 2, interrupted: 130 } as const

/**
 * Returns the exit code of an interrupted command, and says what that left.
 *
 * @throws the error if nothing interrupted the command
 */
export const endInterrupted = (error: unknown, signal: AbortSignal, sentence: string): number => {
  if (!signal.aborted) throw error
  process.stderr.write(`Interrupted. ${sentence}\n`)
  return exitCodes.interrupted
}
