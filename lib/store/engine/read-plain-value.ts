import { type TextCursor, UnusualText } from './text-cursor.ts'

const colon = 58
const closes = 125
const closesList = 93
const constant = /-?\d[\d.eE+-]*|true|false|null/y

/** Reads a value of JSON that contains no records. @throws UnusualText */
export const readPlainValue = (cursor: TextCursor): unknown => {
  if (cursor.text.startsWith('"', cursor.at)) return cursor.readString()
  if (cursor.skip('{}')) return {}
  if (cursor.skip('[]')) return []
  if (cursor.skip('{')) {
    const entries: [string, unknown][] = []
    do {
      const name = cursor.readString()
      cursor.expect(colon)
      entries.push([name, readPlainValue(cursor)])
    } while (cursor.continues(closes))
    return Object.fromEntries(entries)
  }
  if (cursor.skip('[')) {
    const values: unknown[] = []
    do values.push(readPlainValue(cursor))
    while (cursor.continues(closesList))
    return values
  }
  constant.lastIndex = cursor.at
  const [text] = constant.exec(cursor.text) ?? []
  if (text === undefined) throw new UnusualText()
  cursor.at += text.length
  return JSON.parse(text)
}
