import { AppError, type FieldError } from '../../lib/errors/errors.ts'
import { parseJson } from '../../lib/errors/json.ts'

/** Columns with several values. */
const listColumns = ['groups', 'permissions', 'fm_bookmarks']
/** Columns with a number, true, or false. */
const typedColumns = [
  'allow_changing_password',
  'allow_wan_login',
  'gid',
  'home',
  'is_cloud',
  'is_enabled',
  'is_external',
  'password_change_required',
  'shaper_ceiling',
  'shaper_rate',
  'uid',
]

interface Fields {
  readonly fields: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
}

/** The fields of a row, with the same types as in JSON Lines. An empty cell is a field that was left out. */
export const readFields = (columns: readonly string[], cells: readonly string[]): Fields => {
  const fields: [string, unknown][] = []
  const errors: FieldError[] = []
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ''
    if (cell === '') continue
    // The parser replaces invalid UTF-8 with this character.
    if (cell.includes('\u{fffd}')) errors.push({ field: column, message: 'is not valid UTF-8' })
    else
      try {
        fields.push([column, parseCell(column, cell)])
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        errors.push(...(error.details.errors ?? []))
      }
  }
  return { fields: Object.fromEntries(fields), errors }
}

/** A cell that does not have the form of its column stays a text. The rules of the field reject it later. */
const parseCell = (column: string, cell: string): unknown => {
  if (listColumns.includes(column)) return parseList(column, cell.trim())
  if (column === 'ldap') return parseJson(cell, column)
  if (!typedColumns.includes(column)) return cell
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
