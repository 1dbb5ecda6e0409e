import type { AuditEvent } from '../../../lib/client/generated/models.ts'

/** The columns of the export, in their order. */
const columns = [
  'created_at',
  'event',
  'outcome',
  'count',
  'user',
  'user_name',
  'actor',
  'actor_name',
  'username_tried',
  'target',
  'ip',
  'user_agent',
  'credential',
  'request_id',
  'id',
] as const satisfies readonly (keyof AuditEvent)[]

export const csvHeader = `${columns.join(',')}\r\n`

/** Returns the event as a line of CSV (RFC 4180). */
export const toCsvLine = (event: AuditEvent): string =>
  `${columns.map((name) => toCell(event[name])).join(',')}\r\n`

/** Spreadsheets run texts that begin like a formula. An apostrophe makes them plain texts. */
const toCell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
