import { day, hour, minute } from '../../lib/kernel/util/time.ts'
import { t } from './messages.ts'
import { pageData } from './start-path.ts'

/** Formats for dates and numbers in the language of the page and the time zone of the browser. */
const { language } = pageData

const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const list = new Intl.ListFormat(language, { type: 'conjunction' })
const number = new Intl.NumberFormat(language)
const durationOf = (unit: string) =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })

/** `time` is an ISO 8601 time of the API. A line does not end between the time and its half of the day. */
export const formatDateTime = (time: string): string =>
  dateTime.format(new Date(time)).replace(/ (?=[AP]M$)/, '\u00a0')
/** The time alone if it is today. */
export const formatSoon = (time: string): string =>
  formatDate(time) === date.format(Date.now())
    ? clock.format(new Date(time)).replace(/ (?=[AP]M$)/, '\u00a0')
    : formatDateTime(time)
export const formatDate = (time: string): string => date.format(new Date(time))
export const formatNumber = (value: number): string => number.format(value)
export const formatList = (texts: readonly string[]): string => list.format(texts)

const steps = [
  { unit: 'day', length: day },
  { unit: 'hour', length: hour },
  { unit: 'minute', length: minute },
] as const

/** A length of time in its largest whole unit: "8 hours". */
export const formatDuration = (seconds: number): string => {
  const ms = seconds * 1000
  const { unit, length } = steps.find((step) => ms >= step.length && ms % step.length === 0) ?? steps[2]
  return durationOf(unit).format(ms / length)
}

/** How long ago something was, or how soon it will be: "5 minutes ago". */
export const formatRelativeTime = (time: string): string => {
  const ms = Date.parse(time) - Date.now()
  if (ms > -minute && ms <= 0) return t('justNow')
  const { unit, length } = steps.find((step) => Math.abs(ms) >= step.length) ?? steps[2]
  // Less than a minute from now still takes a minute.
  return relative.format(Math.round(ms / length) || 1, unit)
}

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
