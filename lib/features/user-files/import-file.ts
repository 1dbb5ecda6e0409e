import type { FieldError } from '../../kernel/errors/errors.ts'
export type FileFormat = 'json-lines' | 'csv'

const formats = new Map<string, FileFormat>(
  Object.entries({
    jsonl: 'json-lines',
    ndjson: 'json-lines',
    csv: 'csv',
  }),
)

/** The format of a file by the end of its name. Undefined for any other name. */
export const findFormat = (name: string): FileFormat | undefined =>
  formats.get(/.\.([a-z]+)$/.exec(name.toLowerCase())?.[1] ?? '')

/** Whether a file begins like UTF-16. Every line would be refused without a helpful reason. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

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
