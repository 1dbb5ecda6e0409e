import type { FieldError } from '../lib/errors/errors.ts'

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
