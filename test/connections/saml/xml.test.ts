import { describe, expect, it } from 'vitest'
import { readXml } from '../../../lib/features/connections/saml/xml/read.ts'
import { xmlAttributes, xmlDepth, xmlElements } from '../../../lib/kernel/limits/saml-limits.ts'

const refusal = (text: string): string => {
  try {
    readXml(text)
  } catch (error) {
    if (error instanceof Error && error.name === 'XmlError') return error.message
    throw error
  }
  throw new Error('it was read')
}

/** Below this, a measurement is noise: two readings are not compared more finely. */
const leastMs = 5

/** The CPU time of reading a text, accepted or not: the shortest of three runs, so that a busy machine matters less. */
const readingMs = (text: string): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      try {
        readXml(text)
      } catch (error) {
        expect((error as Error).name).toBe('XmlError')
      }
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }),
  )

describe('the XML parser', () => {
  it('resolves names, attributes and text', () => {
    const root = readXml(
      [
        '<?xml version="1.0" encoding="UTF-8" standalone=\'yes\' ?>\n<!-- before -->',
        '<p:a xmlns:p="urn:p" xmlns="urn:d" p:x="1" y=\'&lt;&#65;&#x42;"\n\'><b>one<!-- -->two &amp; <![CDATA[<3&]]></b>',
        '<c xmlns=""/><p:d xmlns:p="urn:q"/></p:a >\n<!-- after -->\n',
      ].join(''),
    )
    expect(root).toMatchObject({ namespace: 'urn:p', name: 'a' })
    expect([...root.attributes]).toEqual([
      ['{urn:p}x', '1'],
      ['y', '<AB" '],
    ])
    expect(root.children.map(({ namespace, name, text }) => [namespace, name, text])).toEqual([
      ['urn:d', 'b', 'onetwo & <3&'],
      ['', 'c', ''],
      ['urn:q', 'd', ''],
    ])
  })

  it('returns the position of each element', () => {
    const text = '<?xml version="1.0"?>\n<a x="1" ><!-- <b> --><b>one<c y = "/>" /></b ></a>\n'
    const root = readXml(text)
    const [b] = root.children
    const [c] = b?.children ?? []
    const written = [root, b, c].map((element) => {
      const { start, contentStart, contentEnd, end } = element?.place ?? root.place
      return [text.slice(start, end), text.slice(contentStart, contentEnd)]
    })
    expect(written).toEqual([
      [text.trim().slice('<?xml version="1.0"?>\n'.length), '<!-- <b> --><b>one<c y = "/>" /></b >'],
      ['<b>one<c y = "/>" /></b >', 'one<c y = "/>" />'],
      ['<c y = "/>" />', ''],
    ])
  })

  it.each<[string, string]>([
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'document type'],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'document type'],
    ['<a><!ENTITY x "y"></a>', 'document type'],
    ['<a>&x;</a>', 'refers to an entity'],
    ['<a>&</a>', 'refers to an entity'],
    ['<a>&nbsp;</a>', 'refers to an entity'],
    ['<a b="&x;"/>', 'refers to an entity'],
    ['<a>&#0;</a>', 'characters that XML does not allow'],
    ['<a>&#xD800;</a>', 'characters that XML does not allow'],
    ['<a>&#x110000;</a>', 'characters that XML does not allow'],
    ['<a>&#99999999999;</a>', 'refers to an entity'],
    ['<a>\u0000</a>', 'characters that XML does not allow'],
    ['<a>\uffff</a>', 'characters that XML does not allow'],
    ['<?xml-stylesheet href="x"?><a/>', 'processing instruction'],
    ['<a><?php echo 1 ?></a>', 'processing instruction'],
    [' <?xml version="1.0"?><a/>', 'processing instruction'],
    ['<?xml version="1.1"?><a/>', 'processing instruction'],
    ['<?xml version="1.0" encoding="utf-8" evil="1"?><a/>', 'processing instruction'],
    ['<a/><b/>', 'second root'],
    ['<a/>text', 'text outside'],
    ['text<a/>', 'text outside'],
    ['<a/><![CDATA[x]]>', 'not well-formed'],
    ['', 'is not XML'],
    ['   ', 'is not XML'],
    ['<!-- only -->', 'is not XML'],
    ['<a>', 'ends too early'],
    ['<a><b></b>', 'ends too early'],
    ['<a', 'not well-formed'],
    ['<', 'not well-formed'],
    ['<a></b>', 'not well-formed'],
    ['<a></a', 'not well-formed'],
    ['</a>', 'not well-formed'],
    ['<a></a/>', 'not well-formed'],
    ['<a b=c/>', 'not well-formed'],
    ['<a b/>', 'not well-formed'],
    ['<a b="<"/>', 'not well-formed'],
    ['<a b="1"c="2"/>', 'not well-formed'],
    ['<a b="/>', 'not well-formed'],
    ['< a/>', 'not well-formed'],
    ['<1/>', 'not well-formed'],
    ['<a:b:c xmlns:a="u"/>', 'not well-formed'],
    ['<a>]]></a>', 'not well-formed'],
    ['<a><!-- -- --></a>', 'not well-formed'],
    ['<a><!-- </a>', 'not well-formed'],
    ['<a><![CDATA[ </a>', 'not well-formed'],
    ['<a b="1" b="2"/>', 'attribute twice'],
    ['<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>', 'attribute twice'],
    ['<p:a/>', 'prefix that it does not declare'],
    ['<a p:b="1"/>', 'prefix that it does not declare'],
    ['<a xmlns:p=""/>', 'reserved namespace'],
    ['<a xmlns:xml="urn:x"/>', 'reserved namespace'],
    ['<a xmlns:xmlns="urn:x"/>', 'reserved namespace'],
    ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', 'reserved namespace'],
  ])('rejects %s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  it('limits depth, elements, attributes and namespaces', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
    const wide = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
    const attributes = (count: number) =>
      `<a ${Array.from({ length: count }, (_, at) => `b${at}=""`).join(' ')}/>`
    const spaces = (count: number) =>
      `<a ${Array.from({ length: count }, (_, at) => `xmlns:b${at}="u"`).join(' ')}>`
    expect(readXml(nested(xmlDepth)).name).toBe('a')
    expect(refusal(nested(xmlDepth + 1))).toContain('deep')
    expect(readXml(wide(xmlElements)).children).toHaveLength(xmlElements - 1)
    expect(refusal(wide(xmlElements + 1))).toContain('elements')
    expect(readXml(attributes(64)).attributes.size).toBe(64)
    expect(refusal(attributes(65))).toContain('attributes')
    const perElement = '<b c="" d="" e="" f=""/>'
    expect(refusal(`<a>${perElement.repeat(xmlAttributes / 4 + 1)}</a>`)).toContain('attributes')
    expect(refusal(`${spaces(40)}${spaces(40)}`)).toContain('too many namespaces')
  })

  it('quotes nothing of the document in errors', () => {
    for (const text of ['<secret-name', '<a>&secret;</a>', '<a></secret>', 'secret', '<a secret/>'])
      expect(refusal(text)).not.toContain('secret')
  })

  it.each<[string, (size: number) => string]>([
    ['blanks in a tag', (size) => `<a${' '.repeat(size)}`],
    ['blanks before a value', (size) => `<a b${' '.repeat(size)}`],
    ['an endless name', (size) => `<${'a'.repeat(size)}`],
    ['an endless value', (size) => `<a b="${'c'.repeat(size)}`],
    ['endless attributes', (size) => `<a${' b=""'.repeat(size / 5)}`],
    ['open tags', (size) => '<a>'.repeat(size / 3)],
    ['open brackets', (size) => '<'.repeat(size)],
    ['open comments', (size) => `<a>${'<!--'.repeat(size / 4)}`],
    ['ampersands', (size) => `<a>${'&'.repeat(size)}</a>`],
    ['references', (size) => `<a>${'&#x41;'.repeat(size / 6)}</a>`],
    ['small texts', (size) => `<a>${'<b>x</b>y'.repeat(Math.min(size / 9, 9000))}</a>`],
    ['blanks outside', (size) => `<a/>${' '.repeat(size)}x`],
    ['comments outside', (size) => `${'<!-- -->'.repeat(size / 8)}`],
    ['a long declaration', (size) => `<?xml version="1.0"${' '.repeat(size)}`],
    ['colons', (size) => `<a${':a'.repeat(size / 2)}/>`],
  ])('reads a mebibyte of %s in time that grows with its length only', (_, make) => {
    // The fastest of three, because other processes slow some of them.
    const [short, long] = [2 ** 17, 2 ** 20].map((size) =>
      Math.min(...[1, 2, 3].map(() => readingMs(make(size)))),
    )
    // Eight times the length takes about eight times as long. Quadratic work would take 64 times as long.
    expect(long).toBeLessThan(30 * Math.max(short ?? 0, leastMs))
  })
})
