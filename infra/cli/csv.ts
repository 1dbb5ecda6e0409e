import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'
import { bodyLimitBytes } from '../../lib/core/limits.ts'
import { fieldsOf } from './csv-cells.ts'
import { type Entry, unreadable } from './entries.ts'
import { CommandFailure } from './failure.ts'
import { type LineCounter, lineCounter } from './line-counter.ts'

/** A row that could be read, after those just before it that could not. */
interface Row {
  readonly before: readonly Entry[]
  readonly line: number
  readonly cells: readonly string[]
}

/** Past so many bytes it isn't a long row but a quote that nobody closed; holding the whole file would end us. */
const rowLimitBytes = 1024 * 1024

/**
 * Reads CSV (RFC 4180) whose first row names the columns.
 *
 * @throws CommandFailure for a first row that doesn't name them, and for a row without end.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  knownFields: readonly string[],
): AsyncGenerator<Entry> {
  let columns: readonly string[] | undefined
  for await (const { before, line, cells } of rowsOf(chunks)) {
    yield* columns ? before : []
    if (cells.length === 1 && cells[0]?.trim() === '') continue
    if (!columns) columns = columnsOf(cells, knownFields)
    else if (cells.join('').length > bodyLimitBytes)
      yield unreadable(line, `is longer than ${bodyLimitBytes} characters`)
    else if (cells.length !== columns.length)
      yield unreadable(line, `has ${cells.length} cells, and the first line has ${columns.length}`)
    else yield { line, ...fieldsOf(columns, cells) }
  }
  if (!columns) throw new CommandFailure(headerHint)
}

const headerHint = 'The first line must name the columns, with commas between: username,email,…'

const columnsOf = (cells: readonly string[], knownFields: readonly string[]): readonly string[] => {
  const columns = cells.map((cell) => cell.trim())
  // Without the one that is always there, it is a row of data, and nothing of it is to be shown.
  if (!columns.includes('username')) throw new CommandFailure(headerHint)
  const repeated = columns.filter((name, at) => columns.indexOf(name) !== at)
  if (repeated.length > 0)
    throw new CommandFailure(`The first line names ${listed(repeated)} more than once.`)
  const unknown = columns.filter((name) => !knownFields.includes(name))
  if (unknown.length > 0)
    throw new CommandFailure(`These columns are no fields of a user: ${listed(unknown)}.`)
  return columns
}

const listed = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => JSON.stringify(name.slice(0, 40))).join(', ')

async function* rowsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const lines = lineCounter()
  const rows: Row[] = []
  let broken: Entry[] = []
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: rowLimitBytes,
    on_skip: (error) => {
      if (error) broken = withBroken(broken, lines, error)
      return undefined
    },
    on_record: (cells, { bytes }) => {
      const line = lines.lineOf(bytes - 1) - newlinesIn(cells)
      rows.push({ before: broken, line, cells })
      broken = []
      return cells
    },
  })
  // Whatever goes wrong on the way, the loop hears of it from the parser.
  pipeline(Readable.from(lines.counted(chunks)), parser).catch(() => {})
  try {
    for await (const _ of parser) {
      const row = rows.shift()
      if (row) yield row
    }
  } catch (error) {
    // The parser forgets what it had read by then.
    yield* rows
    throw error
  }
  yield { before: broken, line: 0, cells: [''] }
}

const sentences: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text between a closing quote and the next comma',
  INVALID_OPENING_QUOTE: 'has a quote inside a cell that is not quoted',
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is not closed: all that follows was read as part of it',
}

const withBroken = (broken: readonly Entry[], lines: LineCounter, error: CsvError): Entry[] => {
  const line = lines.lineOf(Number(error['bytes']))
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    throw new CommandFailure(`Line ${line} goes on for over ${rowLimitBytes} bytes: is a quote not closed?`)
  const messages = [
    ...broken
      .filter((entry) => entry.line === line)
      .flatMap(({ faults }) => faults.map(({ message }) => message)),
    sentences[error.code] ?? 'is not CSV',
  ]
  return [...broken.filter((entry) => entry.line !== line), unreadable(line, ...messages)]
}

const newlinesIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
