/** The command cannot start or continue. The message is for the person at the terminal. */
export class CommandFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CommandFailure'
  }
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '')
