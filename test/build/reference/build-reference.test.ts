import { describe, expect, it } from 'vitest'
import { buildReference } from '../../../build/reference/build-reference.ts'
import type { ApiDocument, ApiOperation, Schema } from '../../../build/reference/document.ts'

const shell = { html: '', headers: {} }

const operation: ApiOperation = {
  operationId: 'make_thing',
  tags: ['things'],
  summary: 'Make a thing',
  responses: { 200: { description: 'Success.' } },
}
const buildDocument = (
  parts: Partial<ApiDocument> = {},
  schemas: Record<string, Schema> = {},
): ApiDocument => ({
  info: { title: 'Things' },
  servers: [{ url: 'https://things.example.com' }],
  tags: [{ name: 'things' }],
  paths: { '/things': { post: operation } },
  components: { schemas },
  ...parts,
})
/** Renders all pages, with the links to them. */
const render = (document: ApiDocument): string => {
  const { navigation, pages } = buildReference(document, [], shell)
  return [navigation, ...Object.values(pages).flatMap(({ title, content }) => [title, content])].join('\n')
}
/** Renders a page whose only operation has these parts. */
const renderOperation = (parts: Partial<ApiOperation>, schemas: Record<string, Schema> = {}): string =>
  render(buildDocument({ paths: { '/things/{id}': { post: { ...operation, ...parts } } } }, schemas))

describe('hostile texts', () => {
  const hostile = "\"><img src=x onerror=alert(1)><script>alert(2)</script> $& 'x'"

  it('never become markup, wherever they are', () => {
    const schema = { type: 'object', description: hostile, properties: { [hostile]: { enum: [hostile] } } }
    const page = render({
      ...buildDocument({}, { Thing: schema }),
      info: { title: hostile, description: `# ${hostile}\n\n\`${hostile}\`\n\n${hostile}` },
      tags: [{ name: 'things', 'x-displayName': hostile, description: hostile }],
      paths: {
        [`/${hostile}`]: {
          post: {
            ...operation,
            summary: hostile,
            description: hostile,
            parameters: [{ name: 'id', in: 'query', description: hostile, example: hostile }],
            requestBody: { content: { 'application/json': { example: { a: hostile } } } },
          },
        },
      },
    })
    const withoutValues = page.replaceAll(/"[^"]*"/g, '""')
    expect(withoutValues).not.toMatch(/<img|<script|<[^>]+ onerror/)
    expect(page).toContain('&lt;script&gt;alert(2)&lt;/script&gt; $&amp;')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://evil.example', '//evil.example', '../x'])(
    'link nowhere if the address is %s',
    (url) => {
      expect(renderOperation({ description: `[here](${url})` })).not.toContain(`href="${url}`)
    },
  )

  it('stay one argument of the shown command', () => {
    const example = { note: "it's $(rm -rf .)" }
    const page = renderOperation({ requestBody: { content: { 'application/json': { example } } } })
    expect(page).toContain('it&#39;\\&#39;&#39;s $(rm -rf .)')
  })
})

describe('links', () => {
  it('lead from names in texts to their explanation, but not from words that are also reasons', () => {
    const page = renderOperation(
      { description: '`make_thing`, `otp_required`, `Thing`, `status`, `toString`' },
      {
        Thing: { type: 'object' },
      },
    )
    expect(page).toContain('<a href="#make_thing"><code>make_thing</code></a>')
    expect(page).toContain('<a href="/docs/errors#reason-otp_required"><code>otp_required</code></a>')
    expect(page).toContain('<a href="/docs/models#Thing"><code>Thing</code></a>')
    expect(page).toContain('<code>status</code>, <code>toString</code>')
  })

  it('explain the model of a single request with its operation, and a shared model once', () => {
    const body = (name: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    })
    const page = render(
      buildDocument(
        {
          paths: {
            '/a': { post: { ...operation, operationId: 'a', requestBody: body('Own') } },
            '/b': { post: { ...operation, operationId: 'b', requestBody: body('Shared') } },
            '/c': { post: { ...operation, operationId: 'c', requestBody: body('Shared') } },
          },
        },
        {
          Own: { type: 'object', properties: { one: { type: 'string' } } },
          Shared: { type: 'object', properties: { two: { type: 'string' } } },
        },
      ),
    )
    expect(page.match(/ id="(Own|Own\.one|Shared|Shared\.two)"/g)).toHaveLength(4)
    expect(page.match(/<section class="model"/g)).toHaveLength(1)
  })

  it('lead to headings of the guide by their words', () => {
    const page = render(
      buildDocument({
        info: {
          title: 'Things',
          description: 'See [things](#things-and-more).\n\n## Things, and more\n\n### Less',
        },
        tags: [{ name: 'things', description: 'See [things](#things-and-more).' }],
      }),
    )
    expect(page).toContain('<a href="#guide-things-and-more">things</a>')
    expect(page).toContain('<a href="/docs#guide-things-and-more">things</a>')
    expect(page).toContain('<h2 id="guide-things-and-more">Things, and more</h2>')
    expect(page).toContain('<h3 id="guide-less">Less</h3>')
    expect(page).toContain('<li><a href="/docs#guide-things-and-more">Things, and more</a></li>')
    expect(page).not.toContain('<li><a href="/docs#guide-less">')
  })

  it('to a missing part of the document stop the build', () => {
    expect(() => renderOperation({ parameters: [{ $ref: '#/components/parameters/missing' }] })).toThrow(
      '#/components/parameters/missing does not exist.',
    )
  })
})

it('finds operations, their fields, models and headings of the guide by what they say', () => {
  const model = {
    type: 'object',
    description: 'A body.',
    properties: { size: { type: 'object', properties: { unit: { description: 'In `mm`.' } } } },
  }
  const { index } = buildReference(
    buildDocument(
      {
        info: {
          title: 'Things',
          description: '## Sizes\n\nSee [units](#units).\n\n### Units\n\nAll of them.',
        },
        paths: {
          '/things': {
            post: {
              ...operation,
              description: 'Makes **one**.',
              parameters: [{ name: 'dry', in: 'query', description: 'Nothing is made.\n\nReally.' }],
              requestBody: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Size' } } },
              },
            },
          },
        },
      },
      { Size: model, Other: { type: 'object' } },
    ),
    [],
    shell,
  )
  expect(index).toEqual(
    expect.arrayContaining([
      { href: '/docs#guide-sizes', kind: 'Guide', name: 'Sizes', detail: 'See units.', text: 'see units' },
      {
        href: '/docs#guide-units',
        kind: 'Guide',
        name: 'Units',
        detail: 'All of them.',
        text: 'all them',
      },
      {
        href: '/docs/things#make_thing',
        kind: 'Operation',
        name: 'Make a thing',
        detail: 'POST /things',
        text: 'make_thing makes one',
      },
      {
        href: '/docs/things#make_thing.dry',
        kind: 'Parameter',
        name: 'make_thing.dry',
        detail: 'Nothing is made.',
      },
      { href: '/docs/things#Size.size.unit', kind: 'Field', name: 'Size.size.unit', detail: 'In mm.' },
      { href: '/docs/models#Other', kind: 'Model', name: 'Other', detail: '' },
    ]),
  )
})

it.each([
  [{ type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 }, 'integer (int32), at least 1'],
  [{ type: 'string', minLength: 1, maxLength: 255 }, 'string, 1 to 255 characters'],
  [{ type: 'string', minLength: 1 }, 'string, at least 1 character'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'string (date-time) or null'],
  [
    { anyOf: [{ type: 'array', items: { type: 'integer', maximum: 9 } }, { type: 'null' }], maxItems: 25 },
    'array of integer or null, at most 25 entries, each at most 9',
  ],
  [{ enum: ['a', 'b'], default: 'a', readOnly: true }, 'any value, read-only, one of "a", "b", default "a"'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'object with values: boolean'],
] as readonly (readonly [Schema, string])[])('describes %j as %j', (schema, text) => {
  const page = renderOperation({ parameters: [{ name: 'part', in: 'query', schema }] })
  const [, facts = ''] =
    /id="make_thing\.part"[\s\S]*?<span class="facts">(.*?)<\/span><\/dt>/.exec(page) ?? []
  expect(facts.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"')).toBe(text)
})
