import type { FieldError } from '../errors/errors.ts'

/** One line of an import file as it was read, or the reasons why it cannot be read. */
export interface Entry {
  /** The line of the file on which the entry starts, from 1. */
  readonly line: number
  /** Undefined when the line could not be read. */
  readonly fields: Readonly<Record<string, unknown>> | undefined
  readonly errors: readonly FieldError[]
  /** The columns with a value that no field takes, if the caller allows such columns. */
  readonly left?: readonly string[]
}

export const createUnreadableEntry = (line: number, ...messages: readonly string[]): Entry => ({
  line,
  fields: undefined,
  errors: messages.map((message) => ({ field: 'line', message })),
})

/** A file that cannot be read any further. The message is a sentence for the person who chose the file. */
export class UnreadableFile extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'UnreadableFile'
  }
}

/** A CSV file whose rows cannot be separated from this line on. */
export class UnclosedQuote extends UnreadableFile {
  constructor(line: number) {
    super(`Line ${line} opens a quote that is never closed.`)
  }
}
