import { bodyLimitBytes } from '../../lib/limits/limits.ts'
import { CommandFailure } from '../command-failure.ts'
import { createUnreadableEntry, type Entry } from '../entry.ts'
import { readFields } from './csv-cells.ts'
import { readRows } from './csv-rows.ts'

/**
 * Reads CSV (RFC 4180) with column names in the first row.
 *
 * @throws CommandFailure when the first row has no valid column names, or when a quote is never closed.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  knownFields: readonly string[],
): AsyncGenerator<Entry> {
  let columns: readonly string[] | undefined
  for await (const { skipped, line, cells } of readRows(chunks)) {
    yield* columns ? skipped : []
    if (cells.length === 1 && cells[0]?.trim() === '') continue
    if (!columns) columns = readColumns(cells, knownFields)
    else if (cells.join('').length > bodyLimitBytes)
      yield createUnreadableEntry(line, `is longer than ${bodyLimitBytes} characters`)
    else if (cells.length !== columns.length)
      yield createUnreadableEntry(line, `has ${cells.length} cells, but the first line has ${columns.length}`)
    else yield { line, ...readFields(columns, cells) }
  }
  if (!columns) throw new CommandFailure(headerHint)
}

const headerHint = 'The first line must have the column names, separated by commas: username,email,…'

const readColumns = (cells: readonly string[], knownFields: readonly string[]): readonly string[] => {
  const columns = cells.map((cell) => cell.trim())
  // Without the required column, this is a row of data. Error messages must not show it.
  if (!columns.includes('username')) throw new CommandFailure(headerHint)
  const repeated = columns.filter((name, at) => columns.indexOf(name) !== at)
  if (repeated.length > 0)
    throw new CommandFailure(`The first line has duplicate columns: ${list(repeated)}.`)
  const unknown = columns.filter((name) => !knownFields.includes(name))
  if (unknown.length > 0) throw new CommandFailure(`The first line has unknown columns: ${list(unknown)}.`)
  return columns
}

const list = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => JSON.stringify(name.slice(0, 40))).join(', ')
