import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'
import { CommandFailure } from '../command-failure.ts'
import { createUnreadableEntry, type Entry } from '../entry.ts'

/** A row of a CSV file. */
export interface CsvRow {
  /** The invalid rows just before this one. */
  readonly skipped: readonly Entry[]
  readonly line: number
  readonly cells: readonly string[]
}

/** A longer row is a quote that is never closed. Reading on would hold the whole file in memory. */
const rowLimitBytes = 1024 * 1024

/** @throws CommandFailure when a quote is never closed, after the rows before it. */
export async function* readRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = []
  let skipped: Entry[] = []
  let nextLine = 1
  let carriageReturns = 0
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: rowLimitBytes,
    on_skip: (error) => {
      if (!error) return
      const line = Number(error['lines']) - carriageReturns
      if (isUnclosedQuote(error, line > nextLine))
        throw new CommandFailure(
          `Line ${nextLine} opens a quote that is never closed. Correct the line and run the command again.`,
        )
      skipped = addError(skipped, line, error)
      nextLine = line + 1
    },
    on_record: (cells, { lines }) => {
      // The parser counts each CRLF inside quotes as two lines.
      carriageReturns += count('\r', cells)
      const lastLine = lines - carriageReturns
      rows.push({ skipped, line: lastLine - count('\n', cells), cells })
      skipped = []
      nextLine = lastLine + 1
      return cells
    },
  })
  // The parser passes on all errors of the pipeline to the loop.
  pipeline(Readable.from(chunks), parser).catch(() => {})
  try {
    for await (const _ of parser) {
      const row = rows.shift()
      if (row) yield row
    }
  } catch (error) {
    // The parser drops the rows that it had not passed on.
    yield* rows
    throw error
  }
  yield { skipped, line: nextLine, cells: [''] }
}

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
