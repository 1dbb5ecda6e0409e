/** The exit codes of the command, for scripts. */
export const exitCodes = { done: 0, someRefused: 1, failed: 2, interrupted: 130 } as const

/** The command cannot start or continue. The message is a sentence for the person at the terminal. */
export class CommandFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CommandFailure'
  }
}

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

export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '')
