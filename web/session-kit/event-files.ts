import { toCsvLine } from '../kit/format.ts'
import { type EventChange, toChangesCell } from './event-changes.ts'

interface FileFormat<Event> {
  /** The media type of the file. */
  readonly type: string
  /** Its first line, if it has one that is no event. */
  readonly header: string
  readonly toLine: (event: Event) => string
}

type Cell = string | number | null | readonly EventChange[]
type Columns<Event> = { readonly [Name in keyof Event]?: Cell }

/** The formats in which people save events: CSV with these columns, and JSON Lines with all fields. */
export const eventFiles = <Event extends Columns<Event>>(
  columns: readonly (keyof Event & string)[],
): Readonly<Record<'csv' | 'jsonl', FileFormat<Event>>> => ({
  csv: {
    type: 'text/csv',
    header: toCsvLine(columns),
    toLine: (event) => toCsvLine(columns.map((name) => toCell(event[name]))),
  },
  jsonl: { type: 'application/x-ndjson', header: '', toLine: (event) => `${JSON.stringify(event)}\n` },
})

const toCell = (value: Cell | undefined): string | number | null | undefined =>
  typeof value === 'object' && value !== null ? toChangesCell(value) : value
