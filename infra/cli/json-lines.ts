import { AppError } from '../../lib/core/errors.ts'
import { parseJson } from '../../lib/core/json.ts'
import { bodyLimitBytes } from '../../lib/core/limits.ts'
import { type Entry, unreadable } from './entries.ts'

const newline = 0x0a

/** Reads JSON lines, of any number and length; a line that is too long is passed over, not held. */
export async function* readJsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let line = 1
  let held = Buffer.alloc(0)
  let isTooLong = false
  const take = (part: Buffer): void => {
    isTooLong ||= held.length + part.length > bodyLimitBytes
    held = isTooLong ? Buffer.alloc(0) : Buffer.concat([held, part])
  }
  const finished = (): Entry | undefined => {
    const entry = isTooLong ? unreadable(line, `is longer than ${bodyLimitBytes} bytes`) : entryOf(line, held)
    held = Buffer.alloc(0)
    isTooLong = false
    line += 1
    return entry
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      take(chunk.subarray(from, end))
      const entry = finished()
      if (entry) yield entry
      from = end + 1
    }
    take(chunk.subarray(from))
  }
  const last = finished()
  if (last) yield last
}

/** Undefined for an empty line. The decoder leaves a byte order mark out. */
const entryOf = (line: number, bytes: Buffer): Entry | undefined => {
  const text = textOf(bytes)
  if (text === undefined) return unreadable(line, 'is not valid UTF-8')
  if (text.trim() === '') return undefined
  try {
    const value = parseJson(text, 'line')
    return isObject(value)
      ? { line, fields: value, faults: [] }
      : unreadable(line, 'must be an object with the fields of a user')
  } catch (error) {
    if (error instanceof AppError && error.details.errors)
      return { line, fields: undefined, faults: error.details.errors }
    throw error
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
