import { type CsvError, parse } from 'csv-parse'
import type { AttributeChange } from '../../accounts/users/attributes.models.ts'
import type { ColumnForm, ColumnForms } from '../../kernel/contract/column-form.ts'
import { AppError, type FieldError } from '../../kernel/errors/errors.ts'
import { parseJson } from '../../kernel/errors/json.ts'
import { bodyLimitBytes } from '../../kernel/limits/limits.ts'
import { userColumnForms } from '../../published-clients/column-forms.ts'
import { createUnreadableEntry, type Entry, UnclosedQuote, UnreadableFile } from './import-file.ts'
import type { UserLine } from './user-line.ts'

/** Returns the field of each column, or undefined for a column that no field takes. */
export type MapColumns = (columns: readonly string[]) => readonly (string | undefined)[]

/**
 * Reads CSV (RFC 4180) with column names in the first row.
 *
 * @throws UnreadableFile when the first row has no valid column names, or when a quote is never closed.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  mapColumns: MapColumns,
): AsyncGenerator<Entry> {
  let columns: Columns | undefined
  for await (const { skipped, line, cells } of readRows(chunks)) {
    yield* columns ? skipped : []
    if (cells.length === 1 && cells[0]?.trim() === '') continue
    if (!columns) columns = readColumns(cells, mapColumns)
    else if (cells.join('').length > bodyLimitBytes)
      yield createUnreadableEntry(line, `is longer than ${bodyLimitBytes} characters`)
    else if (cells.length !== columns.names.length)
      yield createUnreadableEntry(
        line,
        `has ${cells.length} cells, but the first line has ${columns.names.length}`,
      )
    else yield { line, ...readFields(columns, cells) }
  }
  if (!columns) throw new UnreadableFile(headerHint)
}

const headerHint = 'The first line must have the column names, separated by commas: username,email,…'

const separators = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
] as const

const foldName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

interface Columns {
  readonly names: readonly string[]
  readonly fields: readonly (string | undefined)[]
}

const readColumns = (cells: readonly string[], mapColumns: MapColumns): Columns => {
  const names = cells.map((cell) => cell.trim())
  const separator = names.length === 1 && separators.find(([character]) => names[0]?.includes(character))
  if (separator) throw new UnreadableFile(`${headerHint} It has ${separator[1]} in place of commas.`)
  const misspelt = names.filter((name) => foldName(name) === 'username' && name !== 'username')
  const fields = mapColumns(names)
  // Without the required column, this is a row of data. Error messages must not show it, apart from the name itself.
  if (!fields.includes('username'))
    throw new UnreadableFile(
      misspelt.length > 0 ? `${headerHint} Write username in place of ${list(misspelt)}.` : headerHint,
    )
  const repeated = fields.filter((name, at) => name !== undefined && fields.indexOf(name) !== at)
  if (repeated.length > 0)
    throw new UnreadableFile(`The first line has duplicate columns: ${list(repeated)}.`)
  const unknown = fields.filter((name) => name !== undefined && !isField(name))
  if (unknown.length > 0) throw new UnreadableFile(`The first line has unknown columns: ${list(unknown)}.`)
  return { names, fields }
}

/** Whether a column can have this name: a field of a line, or one of its attributes. */
export const isField = (name: string): boolean => columnForms.has(name) || attributeColumn.test(name)

const attributeColumn = /^attributes\./

const list = (names: readonly (string | undefined)[]): string =>
  [...new Set(names)].map((name) => JSON.stringify(name?.slice(0, 40))).join(', ')

interface Fields {
  readonly fields: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
  readonly left?: readonly string[]
}

/** The fields of a row, with the same types as in JSON Lines. An empty cell is a field that was left out. */
const readFields = (columns: Columns, cells: readonly string[]): Fields => {
  const fields: [string, unknown][] = []
  const errors: FieldError[] = []
  const left: string[] = []
  const attributes: AttributeChange[] = []
  for (const [at, column] of columns.fields.entries()) {
    const cell = cells[at] ?? ''
    if (cell === '') continue
    if (column === undefined) left.push(columns.names[at] ?? '')
    // The parser replaces invalid UTF-8 with this character.
    else if (cell.includes('\u{fffd}')) errors.push({ field: column, message: 'is not valid UTF-8' })
    else if (attributeColumn.test(column))
      attributes.push({ name: column.replace(attributeColumn, ''), value: cell })
    else
      try {
        fields.push([column, parseCell(column, cell)])
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        errors.push(...(error.details.errors ?? []))
      }
  }
  if (attributes.length > 0) fields.push(['attributes', attributes])
  return { fields: Object.fromEntries(fields), errors, ...(left.length > 0 ? { left } : {}) }
}

/** A cell that does not have the form of its column stays a text. The rules of the field reject it later. */
const parseCell = (column: string, cell: string): unknown => {
  const form = columnForms.get(column)
  if (form === 'json') return parseJson(cell, column)
  if (form === 'list') return parseList(column, cell.trim())
  if (form === 'text') return cell
  const text = cell.trim().toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,16}$/.test(text) ? Number(text) : cell
}

const parseList = (column: string, text: string): unknown => {
  if (text.startsWith('[')) return parseJson(text, column)
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // Digits are an ID. A JSON array can name a group whose name consists of digits.
  return column === 'groups' ? parts.map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : part)) : parts
}

const forms: ColumnForms<UserLine> = {
  ...userColumnForms,
  username: 'text',
  email: 'text',
  email_verified: 'number or flag',
  full_name: 'text',
  permissions: 'list',
  groups: 'list',
  is_enabled: 'number or flag',
  is_external: 'number or flag',
  expiry: 'text',
  password_change_required: 'number or flag',
  allow_changing_password: 'number or flag',
  default_page: 'text',
  language: 'text',
  page_language: 'text',
  attributes: 'list',
  password_hash: 'text',
  password_check: 'text',
  totp_seed: 'text',
  recovery_codes: 'list',
  passkeys: 'list',
  public_identities: 'list',
  external_id: 'text',
  created_at: 'text',
}

/** The form of the cells of each column. Browsers read it without the schemas of the fields. */
const columnForms: ReadonlyMap<string, ColumnForm> = new Map(Object.entries(forms))

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
async function* readRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
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
      if (isUnclosedQuote(error, { hasLineBreak: line > nextLine })) failure = new UnclosedQuote(nextLine)
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
const isUnclosedQuote = ({ code }: CsvError, { hasLineBreak }: { readonly hasLineBreak: boolean }): boolean =>
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
