/** The exit codes of the command, for scripts. */
export const exitCodes = { done: 0, someRefused: 1, failed: 2, interrupted: 130 } as const

/** The command cannot start or continue. The message is a sentence for the person at the terminal. */
export class CommandFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CommandFailure'
  }
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '')
