import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../infra/cli/csv.ts'
import type { Entry } from '../../../infra/cli/entries.ts'
import { firstLines } from '../../../infra/cli/first-lines.ts'
import { readJsonLines } from '../../../infra/cli/json-lines.ts'

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

describe('wherever the file is cut into chunks, there come the same lines', () => {
  it('of JSON', async () => {
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

  it('of CSV', async () => {
    const bytes = Buffer.from(
      '\u{feff}username,full_name\r\n"a\r\n\r\nb",å\r\n\r\n\n🔑,"say ""x"""\nbroken"quote,x\r\n"also"broken,x"\n"c\nd",\n\nlast,z',
    )
    const read = (size: number) => all(readCsv(inChunks(bytes, size), ['username', 'full_name']))
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

it('the first line of each of very many texts is remembered', () => {
  const lines = firstLines()
  const texts = Array.from({ length: 20_000 }, (_, at) => `user-${at}`)
  for (const [at, text] of texts.entries()) {
    expect(lines.find(text)).toBeUndefined()
    lines.note(text, at + 1)
  }
  expect(texts.every((text, at) => lines.find(text) === at + 1)).toBe(true)
  expect(lines.find('user-20000')).toBeUndefined()
})
