import { type MapColumns, readCsv } from '../../lib/features/user-files/csv.ts'
import { type Entry, UnclosedQuote, UnreadableFile } from '../../lib/features/user-files/import-file.ts'
import { CommandFailure } from '../../local/command-failure.ts'

/**
 * Reads CSV (RFC 4180) with column names in the first row.
 *
 * @throws CommandFailure when the first row has no valid column names, or when a quote is never closed.
 */
export async function* readCsvFile(
  chunks: AsyncIterable<Uint8Array>,
  mapColumns: MapColumns,
): AsyncGenerator<Entry> {
  try {
    yield* readCsv(chunks, mapColumns)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const hint = error instanceof UnclosedQuote ? ' Correct the line and run the command again.' : ''
    throw new CommandFailure(`${error.message}${hint}`)
  }
}
