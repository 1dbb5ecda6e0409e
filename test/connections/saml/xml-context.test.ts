import { expect, it } from 'vitest'
import { readInContext } from '../../../lib/features/connections/saml/xml/context.ts'
import { outermostScope } from '../../../lib/features/connections/saml/xml/names.ts'
import { readXml } from '../../../lib/features/connections/saml/xml/read.ts'

/** Returns the scope inside an element with these attributes. */
const around = (attributes: string) => readXml(`<x ${attributes}/>`).scope

it('declarations of the context are added at the root if they are used', () => {
  const context = around('xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q"')
  const { element, text } = readInContext('<a><p:b c="1"/></a>', context)
  expect(text).toBe('<a xmlns="urn:d" xmlns:p="urn:p"><p:b c="1"/></a>')
  expect(element).toMatchObject({ namespace: 'urn:d', children: [{ namespace: 'urn:p', name: 'b' }] })
  expect(readXml(text)).toMatchObject({ namespace: 'urn:d', children: [{ namespace: 'urn:p', name: 'b' }] })
})

it.each([
  ['<a/>', ''],
  ['<a xmlns="urn:own"><b/></a>', 'xmlns="urn:d"'],
  ['<a xmlns=""><b/></a>', 'xmlns="urn:d"'],
  ['<p:a xmlns:p="urn:own"/>', 'xmlns:p="urn:p"'],
  ['<p:a xmlns:p="urn:own" xml:lang="en"><p:b/></p:a>', 'xmlns:q="urn:q"'],
])('%s uses no outer declaration and stays unchanged', (xml, context) => {
  expect(readInContext(xml, around(context)).text).toBe(xml)
})

it('prefixes in values and attributes without a prefix need no declaration', () => {
  expect(readInContext('<a xmlns="" b="p:c">p:d</a>', around('xmlns:p="urn:p"')).text).toBe(
    '<a xmlns="" b="p:c">p:d</a>',
  )
})

it('the root is found after all content that may precede it', () => {
  const front = '<?xml version="1.0"?>\n<!-- <p:x> --><!-- y -->\n'
  expect(readInContext(`${front}<p:a\n/>`, around('xmlns:p="urn:p"')).text).toBe(
    `${front}<p:a xmlns:p="urn:p"\n/>`,
  )
})

it('added namespaces are escaped', () => {
  const odd = 'urn:&quot; ID=&quot;x&amp;&lt;$&amp;'
  const { text } = readInContext('<p:a/>', around(`xmlns:p="${odd}"`))
  expect(readXml(text)).toMatchObject({ namespace: 'urn:" ID="x&<$&', name: 'a' })
  expect(readXml(text).attributes.size).toBe(0)
})

it('undeclared prefixes and malformed texts are rejected', () => {
  for (const xml of ['<p:a/>', '<a p:b=""/>', '<a', '<a/><b/>'])
    expect(() => readInContext(xml, outermostScope)).toThrow(/not well-formed|second root|does not declare/)
})
