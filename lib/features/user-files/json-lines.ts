import { AppError } from '../../kernel/errors/errors.ts'
import { parseJson } from '../../kernel/errors/json.ts'
import { bodyLimitBytes } from '../../kernel/limits/limits.ts'
import { createUnreadableEntry, type Entry } from './import-file.ts'

const newline = 0x0a
const noBytes = new Uint8Array()

const joinBytes = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** Reads JSON Lines. It does not hold a line in memory that is too long. */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let line = 1
  let pending: Uint8Array = noBytes
  let isTooLong = false
  const append = (part: Uint8Array): void => {
    isTooLong ||= pending.length + part.length > bodyLimitBytes
    pending = isTooLong ? noBytes : joinBytes(pending, part)
  }
  const finishLine = (): Entry | undefined => {
    const entry = isTooLong ? createTooLongEntry(line) : parseLine(line, pending)
    pending = noBytes
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
const parseLine = (line: number, bytes: Uint8Array): Entry | undefined => {
  const text = decode(bytes)
  if (text === undefined) return createUnreadableEntry(line, 'is not valid UTF-8')
  return text.trim() === '' ? undefined : readJsonLine(line, text)
}

/** Reads the text of a line. */
export const readJsonLine = (line: number, text: string): Entry => {
  if (encoder.encode(text).length > bodyLimitBytes) return createTooLongEntry(line)
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

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
