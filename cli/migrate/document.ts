import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../../local/command-failure.ts'
import { openInput } from '../input.ts'
import { isRecord, type Source, type SourceRecord } from './source.ts'

/** Asks in a terminal whether to write. Without one, only `--yes` is an answer. An interruption means no. */
export const isWanted = async (
  { isConfirmed }: { readonly isConfirmed: boolean },
  question: string,
  signal: AbortSignal,
): Promise<boolean> => {
  if (isConfirmed || !process.stdin.isTTY || !process.stdout.isTTY) return isConfirmed
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // In a terminal, the interface gets Ctrl-C in place of the process.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim())
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    terminal.close()
  }
}

/** A text of JavaScript cannot be much longer. */
const limitBytes = 400 * 1024 * 1024

/** Reads a file that is one JSON document. @throws CommandFailure if it cannot be read, or is not JSON. */
export const readDocument = async (path: string): Promise<unknown> => {
  const input = await openInput(path, 'json-lines', { isDocument: true })
  await input.close()
  const name = basename(path)
  if (input.sizeBytes > limitBytes)
    throw new CommandFailure(`${name} is longer than ${limitBytes / 1024 / 1024} MiB. Export it in parts.`)
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''))
  } catch (error) {
    // The message of the parser quotes the text, which has password hashes.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : ` at character ${Number(position) + 1}`
    throw new CommandFailure(`${name} is not valid JSON${where}. Export it again.`)
  }
}

/**
 * Refuses an answer that names the next part of a list: the users of the other parts would be missing.
 *
 * @throws CommandFailure
 */
export const requireWhole = (document: unknown, advice: string): void => {
  const marks = ['PaginationToken', 'NextToken', 'nextPageToken']
  if (isRecord(document) && marks.some((name) => document[name]))
    throw new CommandFailure(`This is the first page of the list, so users are missing. ${advice}`)
}

/** A source of records that are in memory. */
export const createSource = (
  records: readonly unknown[],
  read: (line: number, record: unknown) => SourceRecord,
): Source => ({
  records: async function* () {
    for (const [at, record] of records.entries()) yield read(at + 1, record)
  },
  size: records.length,
  getPosition: (line) => line,
})

/** @throws CommandFailure if the value is not the list of an export. */
export const requireList = (value: unknown, sentence: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new CommandFailure(sentence)
  return value
}
