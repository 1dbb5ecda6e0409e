import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/* Each cell of the table in the README was read somewhere, on a day. The test reads both pages as readers do. */

const readme = readFileSync('README.md', 'utf8')
const page = readFileSync('docs/comparison.md', 'utf8')

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

const tableOf = (text: string): readonly (readonly string[])[] =>
  (text.match(/^\|.*\|$/gm) ?? []).map(cellsOf).filter(([, second]) => second !== '---')

const [[, ...products] = [], ...topics] = tableOf(
  /<!-- comparison -->([\s\S]*?)<!-- end of comparison -->/.exec(readme)?.[1] ?? '',
)

interface Claim {
  readonly topic: string
  readonly product: string
  readonly says: string
}
const claims = topics.flatMap(([topic = '', ...cells]) =>
  cells.map((says, at): Claim => ({ topic, product: products[at] ?? '', says })),
)

const day =
  '\\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \\d{4}'
const days = new RegExp(`^${day}(; ${day})*$`)

/** What a claim lacks on a page with sources; nothing for one that has its address and day. */
const problemsOf = ({ topic, product, says }: Claim, sources: string): readonly string[] => {
  const section = sources
    .split('\n## ')
    .find((text) => text.toLowerCase().startsWith(`${topic.toLowerCase()}\n`))
  const row = tableOf(section ?? '').find(([name, claim]) => name === product && claim === says)
  if (!row) return [`${product}, ${topic}: has no row that says “${says}”`]
  const [, , source = '', read = ''] = row
  const link = product === 'Latchkey' ? /^\[\S+\]\((\S+)\), test: `(\S+)`$/ : /^<https:\/\/\S+>/
  return [
    ...(link.test(source) ? [] : [`${product}, ${topic}: has no address`]),
    ...(days.test(read) && Date.parse(read.split('; ')[0] ?? '') > 0
      ? []
      : [`${product}, ${topic}: has no day`]),
  ]
}

describe('the comparison', () => {
  it('has rows for agents and for losing a region', () => {
    expect(topics.map(([topic]) => topic)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('client ID documents'),
        expect.stringContaining('region'),
      ]),
    )
  })

  it('marks no cell as from memory', () => {
    expect(claims.length).toBe(topics.length * 4)
    expect(claims.filter(({ says }) => says.includes('*') || says === '')).toEqual([])
  })

  it('has an address and a day for each cell', () => {
    expect(claims.flatMap((claim) => problemsOf(claim, page))).toEqual([])
  })

  it('has no claim that the README does not make', () => {
    const rows = tableOf(page).filter(([product = '']) => products.includes(product))
    expect(rows).toHaveLength(claims.length)
  })

  it('names pages and tests of Latchkey that exist', () => {
    const named = [...page.matchAll(/^\| Latchkey \|.*\]\((\S+)\), test: `(\S+)`/gm)]
    expect(named).toHaveLength(topics.length)
    for (const [, target = '', test = ''] of named)
      expect([existsSync(`docs/${target}`), existsSync(test)], target).toEqual([true, true])
  })

  const [first = { topic: '', product: '', says: '' }] = claims.filter(({ product }) => product === 'Cognito')
  it.each([
    ['another claim', (text: string) => text.replace(`| ${first.says} |`, '| on the moon |')],
    ['no address', (text: string) => text.replaceAll(/<https:[^>]+>/g, 'from memory')],
    ['an address without TLS', (text: string) => text.replaceAll('<https:', '<http:')],
    ['no day', (text: string) => text.replaceAll(new RegExp(day, 'g'), 'recently')],
  ])('finds a cell with %s', (_, change) => {
    expect(problemsOf(first, change(page))).toHaveLength(1)
  })
})
