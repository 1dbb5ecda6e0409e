type Cell = string | number | null | undefined

/** Returns cells as a line of CSV (RFC 4180). */
export const toCsvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

/** Spreadsheets run texts that begin like a formula. An apostrophe makes them plain texts. */
const toCell = (value: Cell): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
