import { byTable, recordMembers } from './call-members.ts'
import { readPlainValue } from './read-plain-value.ts'
import { RecordReader } from './record-reader.ts'
import { TextCursor, UnusualText } from './text-cursor.ts'

type Fields = Record<string, unknown>

const opens = 123
const closes = 125
const colon = 58

/** Reads a body in the form that engines write, in one pass. @throws UnusualText for other forms and types of values */
export const readUsualBody = (text: string): Fields => {
  const cursor = new TextCursor(text)
  const reader = new RecordReader(cursor)
  const body: Fields = {}
  if (cursor.skip('{}')) return body
  cursor.expect(opens)
  do {
    const name = cursor.readString()
    cursor.expect(colon)
    if (recordMembers.has(name)) body[name] = readRecords(cursor, reader)
    else if (name === 'Responses') body[name] = readTables(cursor, reader)
    else if (byTable.has(name)) body[name] = readEmpty(cursor)
    else body[name] = readPlainValue(cursor)
  } while (cursor.continues(closes))
  if (cursor.at < text.length) throw new UnusualText()
  return body
}

const readRecords = (cursor: TextCursor, reader: RecordReader) =>
  cursor.text.startsWith('[', cursor.at) ? reader.readRecords() : reader.readRecord()

const readTables = (cursor: TextCursor, reader: RecordReader): Fields => {
  if (cursor.skip('{}')) return {}
  const tables: Fields = {}
  cursor.expect(opens)
  do {
    const name = cursor.readString()
    cursor.expect(colon)
    tables[name] = reader.readRecords()
  } while (cursor.continues(closes))
  return tables
}

/** Keys that were left unprocessed are rare, and at a deeper level. */
const readEmpty = (cursor: TextCursor): Fields => {
  if (cursor.skip('{}')) return {}
  throw new UnusualText()
}
