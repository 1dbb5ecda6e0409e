import { createUnreadableEntry, type Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'
import type { Input } from '../input.ts'
import { readDocument } from '../migrate/document.ts'
import { type ConvertOptions, convertRecord, type SystemName } from './convert-record.ts'

type Given = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parts of an answer with many records, or of an object with tables, in the order in which an import needs them. */
const parts = ['organizations', 'organization', 'data', 'members', 'member', 'invitation'] as const

/**
 * The records in a part of an export: a page of a list, an object with tables, or a record. Auth0's pages of members do not name their
 * organization, so that it stands beside them.
 */
const listRecords = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap(listRecords)
  if (!isRecord(value)) return [value]
  const lists = parts.flatMap((part) => (Array.isArray(value[part]) ? [value[part]] : []))
  if (lists.length === 0) return [value]
  const { organization_id } = value
  return lists
    .flat()
    .map((one: unknown) =>
      organization_id !== undefined && isRecord(one) ? { organization_id, ...one } : one,
    )
}

/** Counts what an export has and the import does not take. */
export type LeftBehind = Map<string, number>

interface ExportOptions extends ConvertOptions {
  readonly system: SystemName
  readonly file: string
  readonly left: LeftBehind
}

/** Reads the export of another system as lines of the import. Records of one JSON document are counted from 1. */
export async function* readExport(input: Input, options: ExportOptions): AsyncGenerator<Entry> {
  const { file, system, left } = options
  const convert = (line: number, record: unknown): Entry | undefined => {
    if (!isRecord(record))
      return createUnreadableEntry(line, 'must be an object, as the other system writes it')
    const converted = convertRecord(system, record, options)
    const names = [...(converted.left ?? []), ...('skipped' in converted ? [converted.skipped] : [])]
    for (const name of names) left.set(name, (left.get(name) ?? 0) + 1)
    if ('errors' in converted) return { line, fields: undefined, errors: converted.errors }
    return 'fields' in converted ? { line, fields: converted.fields, errors: [] } : undefined
  }
  if (file.toLowerCase().endsWith('.json')) {
    let line = 0
    for (const record of listRecords(await readDocument(file))) {
      const entry = convert(++line, record)
      if (entry) yield entry
    }
    return
  }
  for await (const entry of readJsonLines(input.chunks()))
    if (!entry.fields) yield entry
    else
      for (const record of listRecords(entry.fields)) {
        const converted = convert(entry.line, record)
        if (converted) yield converted
      }
}
