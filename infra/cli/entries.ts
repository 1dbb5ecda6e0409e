import type { FieldError } from '../../lib/core/errors.ts'

/** What one line of the file holds, or why it can't be read. */
export interface Entry {
  /** The line of the file it begins on, from 1. */
  readonly line: number
  /** Undefined when nothing of it can be judged. */
  readonly fields: Readonly<Record<string, unknown>> | undefined
  readonly faults: readonly FieldError[]
}

/** An entry of which nothing more can be said than what is wrong with it. */
export const unreadable = (line: number, ...messages: readonly string[]): Entry => ({
  line,
  fields: undefined,
  faults: messages.map((message) => ({ field: 'line', message })),
})
