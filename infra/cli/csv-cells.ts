import { AppError, type FieldError } from '../../lib/core/errors.ts'
import { parseJson } from '../../lib/core/json.ts'

/** Columns that hold several texts. */
const lists = ['groups', 'permissions', 'fm_bookmarks']
/** Columns that hold a number, true or false. */
const plainValues = [
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
  readonly faults: readonly FieldError[]
}

/** The fields of a row, with the types that JSON lines have; an empty cell is a field that is not there. */
export const fieldsOf = (columns: readonly string[], cells: readonly string[]): Fields => {
  const fields: [string, unknown][] = []
  const faults: FieldError[] = []
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ''
    if (cell === '') continue
    // The parser writes this letter for bytes that are no UTF-8.
    if (cell.includes('\u{fffd}')) faults.push({ field: column, message: 'is not valid UTF-8' })
    else
      try {
        fields.push([column, typed(column, cell)])
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        faults.push(...(error.details.errors ?? []))
      }
  }
  return { fields: Object.fromEntries(fields), faults }
}

/** What isn't of its column's form stays the text it is, for the rules of the field to refuse. */
const typed = (column: string, cell: string): unknown => {
  if (lists.includes(column)) return listOf(column, cell.trim())
  if (column === 'ldap') return parseJson(cell, column)
  if (!plainValues.includes(column)) return cell
  const text = cell.trim().toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,16}$/.test(text) ? Number(text) : cell
}

const listOf = (column: string, text: string): unknown => {
  if (text.startsWith('[')) return parseJson(text, column)
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // Digits are an id; a group that is named so can be given in the form of JSON.
  return column === 'groups' ? parts.map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : part)) : parts
}
