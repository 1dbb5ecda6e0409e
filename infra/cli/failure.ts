/** What the exit code tells a script. */
export const exitCodes = { done: 0, someRefused: 1, failed: 2, interrupted: 130 } as const

/** Why the command can't do, or go on with, what it was asked for: sentences for the person at the terminal. */
export class CommandFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CommandFailure'
  }
}

/** The text of an error that was thrown, whatever it was. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '')
