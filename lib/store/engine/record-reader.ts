import { findName, type KnownName } from './attribute-names.ts'
import { buildRecord } from './record-shapes.ts'
import { type TextCursor, UnusualText } from './text-cursor.ts'

const code = { quote: 34, colon: 58, opens: 123, closes: 125, opensList: 91, closesList: 93 }
const types = { string: 83, number: 78, map: 77, list: 76 }

/**
 * Reads records directly from the text of a response, without an object for each attribute value. It reads the types of
 * values that most records have. All methods throw `UnusualText` for others.
 */
export class RecordReader {
  readonly #cursor: TextCursor
  /** Names and values of the maps that are being read, the inner ones last. */
  readonly #names: string[] = []
  readonly #values: unknown[] = []

  constructor(cursor: TextCursor) {
    this.#cursor = cursor
  }

  readRecords(): Record<string, unknown>[] {
    const cursor = this.#cursor
    if (cursor.skip('[]')) return []
    cursor.expect(code.opensList)
    const records: Record<string, unknown>[] = []
    do records.push(this.readRecord())
    while (cursor.continues(code.closesList))
    return records
  }

  readRecord(): Record<string, unknown> {
    const cursor = this.#cursor
    if (cursor.skip('{}')) return {}
    cursor.expect(code.opens)
    const first = this.#names.length
    let signature = 0
    do {
      const { name, number } = this.#readName()
      signature = (signature + number) | 0
      const value = this.#readValue()
      this.#names.push(name)
      this.#values.push(value)
    } while (cursor.continues(code.closes))
    const record = buildRecord(this.#names, this.#values, first, signature)
    this.#names.length = first
    this.#values.length = first
    return record
  }

  #readName(): KnownName {
    const cursor = this.#cursor
    const end = cursor.findEndOfString()
    const found = findName(cursor.text, cursor.at + 1, end)
    // An assignment to `__proto__` would set the prototype.
    if (found.name === '__proto__' || found.name.includes('\\')) throw new UnusualText()
    cursor.at = end + 1
    cursor.expect(code.colon)
    return found
  }

  #readValue(): unknown {
    const cursor = this.#cursor
    const { text, at } = cursor
    // The quote after a type of one letter: `{"S":"text"}`.
    if (text.charCodeAt(at + 3) !== code.quote) return this.#readConstant()
    cursor.expect(code.opens)
    cursor.expect(code.quote)
    cursor.at += 2
    cursor.expect(code.colon)
    const value = this.#readTyped(text.charCodeAt(at + 2))
    cursor.expect(code.closes)
    return value
  }

  #readConstant(): boolean | null {
    const cursor = this.#cursor
    if (cursor.skip('{"BOOL":true}')) return true
    if (cursor.skip('{"BOOL":false}')) return false
    if (cursor.skip('{"NULL":true}')) return null
    throw new UnusualText()
  }

  #readTyped(type: number): unknown {
    switch (type) {
      case types.string:
        return this.#cursor.readString()
      case types.number:
        return Number(this.#cursor.readString())
      case types.map:
        return this.readRecord()
      case types.list:
        return this.#readList()
      default:
        throw new UnusualText()
    }
  }

  #readList(): unknown[] {
    const cursor = this.#cursor
    if (cursor.skip('[]')) return []
    cursor.expect(code.opensList)
    const values: unknown[] = []
    do values.push(this.#readValue())
    while (cursor.continues(code.closesList))
    return values
  }
}
