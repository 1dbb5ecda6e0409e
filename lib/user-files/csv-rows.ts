import { type CsvError, parse } from 'csv-parse'
import { createUnreadableEntry, type Entry, UnclosedQuote } from './import-file.ts'

/** A row of a CSV file. */
interface CsvRow {
  /** The invalid rows just before this one. */
  readonly skipped: readonly Entry[]
  readonly line: number
  readonly cells: readonly string[]
}

/** A longer row is a quote that is never closed. Reading on would hold the whole file in memory. */
const rowLimitBytes = 1024 * 1024

/** @throws UnclosedQuote when a quote is never closed, after the rows before it. */
export async function* readRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = []
  let skipped: Entry[] = []
  let nextLine = 1
  let carriageReturns = 0
  let failure: unknown
  const parser = parse({
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: rowLimitBytes,
    on_skip: (error) => {
      if (!error || failure) return
      const line = Number(error['lines']) - carriageReturns
      if (isUnclosedQuote(error, line > nextLine)) failure = new UnclosedQuote(nextLine)
      skipped = addError(skipped, line, error)
      nextLine = line + 1
    },
    on_record: (cells, { lines }) => {
      if (failure) return cells
      // The parser counts each CRLF inside quotes as two lines.
      carriageReturns += count('\r', cells)
      const lastLine = lines - carriageReturns
      rows.push({ skipped, line: lastLine - count('\n', cells), cells })
      skipped = []
      nextLine = lastLine + 1
      return cells
    },
  })
  parser.on('error', (error) => {
    failure ??= error
  })
  // The rows are taken in `on_record`, which knows their lines.
  parser.resume()
  // Browsers have no buffers, so the parser gets texts. Invalid UTF-8 becomes a character that the fields refuse.
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    await write(parser, decoder.decode(chunk, { stream: true }))
    yield* rows.splice(0)
    if (failure) throw failure
  }
  await write(parser, decoder.decode())
  await new Promise<void>((resolve) => {
    parser.on('error', () => resolve())
    parser.on('end', resolve)
    parser.end()
  })
  yield* rows.splice(0)
  if (failure) throw failure
  yield { skipped, line: nextLine, cells: [''] }
}

/** Waits until the parser has read a text, so that it never has more than one chunk. */
const write = (parser: ReturnType<typeof parse>, text: string): Promise<void> =>
  text === ''
    ? Promise.resolve()
    : new Promise((resolve) => {
        parser.write(text, () => resolve())
      })

/** A quote error after a line break means that the quote of an earlier line was never closed. */
const isUnclosedQuote = ({ code }: CsvError, hasLineBreak: boolean): boolean =>
  code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE' || hasLineBreak

const messages = new Map<string, string>(
  Object.entries({
    CSV_INVALID_CLOSING_QUOTE: 'has text between a closing quote and the next comma',
    INVALID_OPENING_QUOTE: 'has a quote inside a cell that is not quoted',
  }),
)

/** Adds an error to the entry of its line. The parser reports several errors of one row separately. */
const addError = (skipped: readonly Entry[], line: number, { code }: CsvError): Entry[] => {
  const earlier = skipped
    .filter((entry) => entry.line === line)
    .flatMap(({ errors }) => errors.map(({ message }) => message))
  const others = skipped.filter((entry) => entry.line !== line)
  return [...others, createUnreadableEntry(line, ...earlier, messages.get(code) ?? 'is not valid CSV')]
}

const count = (character: string, cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.split(character).length - 1, 0)
