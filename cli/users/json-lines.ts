import { AppError } from '../../lib/errors/errors.ts'
import { parseJson } from '../../lib/errors/json.ts'
import { bodyLimitBytes } from '../../lib/limits/limits.ts'
import { createUnreadableEntry, type Entry } from '../entry.ts'

const newline = 0x0a

/** Reads JSON Lines. It does not hold a line in memory that is too long. */
export async function* readJsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let line = 1
  let pending = Buffer.alloc(0)
  let isTooLong = false
  const append = (part: Buffer): void => {
    isTooLong ||= pending.length + part.length > bodyLimitBytes
    pending = isTooLong ? Buffer.alloc(0) : Buffer.concat([pending, part])
  }
  const finishLine = (): Entry | undefined => {
    const entry = isTooLong ? createTooLongEntry(line) : parseLine(line, pending)
    pending = Buffer.alloc(0)
    isTooLong = false
    line += 1
    return entry
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      append(chunk.subarray(from, end))
      const entry = finishLine()
      if (entry) yield entry
      from = end + 1
    }
    append(chunk.subarray(from))
  }
  const last = finishLine()
  if (last) yield last
}

/** Undefined for an empty line. The decoder removes a byte order mark. */
const parseLine = (line: number, bytes: Buffer): Entry | undefined => {
  const text = decode(bytes)
  if (text === undefined) return createUnreadableEntry(line, 'is not valid UTF-8')
  return text.trim() === '' ? undefined : readJsonLine(line, text)
}

/** Reads the text of a line. */
export const readJsonLine = (line: number, text: string): Entry => {
  if (Buffer.byteLength(text) > bodyLimitBytes) return createTooLongEntry(line)
  try {
    const value = parseJson(text, 'line')
    return isObject(value)
      ? { line, fields: value, errors: [] }
      : createUnreadableEntry(line, 'must be an object with the fields of a user')
  } catch (error) {
    if (error instanceof AppError && error.details.errors)
      return { line, fields: undefined, errors: error.details.errors }
    throw error
  }
}

const createTooLongEntry = (line: number): Entry =>
  createUnreadableEntry(line, `is longer than ${bodyLimitBytes} bytes`)

const decoder = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
