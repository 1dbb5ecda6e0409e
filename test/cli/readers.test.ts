import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../lib/features/user-files/csv.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'

const inChunks = (bytes: Buffer, size: number): AsyncIterable<Buffer> =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    ),
  )
const all = async (entries: AsyncIterable<Entry>): Promise<Entry[]> => {
  const read: Entry[] = []
  for await (const entry of entries) read.push(entry)
  return read
}

describe('reading a file in chunks of any size', () => {
  it('returns the same lines of JSON Lines', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\u{feff}{"username":"å🔑"}\r\n\n{"username":"b"}\n\n\n{"a":1'),
      Buffer.from([0xc3, 0x0a]),
      Buffer.from('{"username":"last"}'),
    ])
    const whole = await all(readJsonLines(inChunks(bytes, bytes.length)))
    expect(whole.map(({ line, fields }) => [line, fields])).toEqual([
      [1, { username: 'å🔑' }],
      [3, { username: 'b' }],
      [6, undefined],
      [7, { username: 'last' }],
    ])
    for (const size of [1, 2, 3, 5, 11])
      expect(await all(readJsonLines(inChunks(bytes, size)))).toEqual(whole)
  })

  it('returns the same rows of CSV, with the right line numbers', async () => {
    const bytes = Buffer.from(
      '\u{feff}username,full_name\r\n"a\r\n\r\nb",å\r\n\r\n\n🔑,"say ""x"""\nbroken"quote,x\r\n"also"broken,x"\n"c\nd",\n\nlast,z',
    )
    const read = (size: number) => all(readCsv(inChunks(bytes, size), (columns) => columns))
    const whole = await read(bytes.length)
    expect(whole.map(({ line, fields }) => [line, fields])).toEqual([
      [2, { username: 'a\r\n\r\nb', full_name: 'å' }],
      [7, { username: '🔑', full_name: 'say "x"' }],
      [8, undefined],
      [9, undefined],
      [10, { username: 'c\nd' }],
      [13, { username: 'last', full_name: 'z' }],
    ])
    for (const size of [1, 2, 3, 5, 11]) expect(await read(size)).toEqual(whole)
  })
})

describe('a CSV file with a quote that is never closed', () => {
  const read = (text: string) => all(readCsv(inChunks(Buffer.from(text), 7), (columns) => columns))

  it.each([
    ['at the end of the file', 'username,full_name\na,\nb,"open\nc,\nd,\n', 3],
    ['in the last line', 'username,full_name\na,\nb,"open', 3],
    ['before a row with quotes', 'username,full_name\na,\nb,"open\nc,"C. Cee"\nd,\n', 3],
    ['before many rows', `username,full_name\nb,"open\n${'x,y\n'.repeat(5000)}c,"C"\n`, 2],
    ['after quoted line breaks', 'username,full_name\na,"1\r\n2\r\n3"\r\nb,"open\r\nc,\r\n', 5],
    ['after an invalid row', 'username,full_name\na"b,\nb,"open\nc,\n', 3],
    ['in the header', '"username,full_name\na,b\n', 1],
  ])('is refused with the line that opens it: %s', async (_, text, line) => {
    await expect(read(text)).rejects.toThrow(`Line ${line} opens a quote that is never closed.`)
  })

  it('is not a file in which quoted cells have line breaks', async () => {
    const rows = await read(`username,full_name\na,"${'line\n'.repeat(500)}"\nb,"x\ny"\n`)
    expect(rows.map(({ line, errors }) => [line, errors])).toEqual([
      [2, []],
      [503, []],
    ])
  })
})
