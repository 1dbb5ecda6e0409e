import { readFileSync, statSync } from 'node:fs'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import manifest from '../../package.json' with { type: 'json' }

/* The first screen of the README says what is true. */

const [firstScreen = ''] = readFileSync('README.md', 'utf8').split('\n## ')
const costs = readFileSync('docs/cost.md', 'utf8')

/** The dollars of a service by its size, as the page about cost has them. */
const priceOf = (service: string): readonly number[] =>
  (new RegExp(`^\\| \\**${service}\\** \\| (.+) \\|$`, 'm').exec(costs)?.[1] ?? '')
    .split(' | ')
    .map((text) => Math.round(Number(text.replaceAll(',', ''))))

it('has the prices of the page about cost', () => {
  const [[small, medium], [, mediumA], [, lite], [, essentials]] = [
    priceOf('Latchkey, shape C'),
    priceOf('Latchkey, shape A'),
    priceOf('Cognito Lite'),
    priceOf('Cognito Essentials'),
  ]
  expect(firstScreen).toContain(`from ${small} dollars a month for 1,000 users and from ${medium} for 50,000`)
  expect(firstScreen).toContain(
    `| ${medium} to ${mediumA} dollars | ${lite} dollars (Lite) or ${essentials} (Essentials)`,
  )
})

it('has badges with facts of the code', () => {
  const badges = [...firstScreen.matchAll(/^!\[(.+): (.+)\]\((\S+\.svg)\)$/gm)]
  const facts = [
    ['license', manifest.license],
    ['Node.js', '≥ 22.12'],
    ['operations', String(operations.length)],
    ['languages of pages', String(languages.length)],
  ]
  expect(badges.map(([, label, value]) => [label, value])).toEqual(facts)
  for (const [, label, value, path = ''] of badges)
    expect(readFileSync(path, 'utf8')).toContain(`aria-label="${label}: ${value}"`)
})

it('has one picture for each color scheme, of the same size and small enough', () => {
  const [light, dark] = ['light', 'dark'].map((scheme) => `docs/pictures/overview-${scheme}.png`)
  for (const path of [light, dark]) {
    expect(firstScreen).toContain(`"${path}"`)
    expect(statSync(path ?? '').size).toBeLessThanOrEqual(250 * 1024)
  }
  const [sizeOfLight, sizeOfDark] = [light, dark].map((path) => {
    const { width, height } = PNG.sync.read(readFileSync(path ?? ''))
    return [width, height]
  })
  expect(sizeOfLight).toEqual(sizeOfDark)
})

it('compares with three others, and leads to the sources and to what is missing', () => {
  const [header = '', , ...rows] = firstScreen.match(/^\|.*\|$/gm) ?? []
  expect(header).toBe('|  | Latchkey | Cognito | Keycloak | Better Auth |')
  expect(rows.length).toBeLessThanOrEqual(6)
  for (const row of rows) expect(row.split(' | ')).toHaveLength(5)
  expect(firstScreen).toContain('(docs/comparison.md)')
  expect(firstScreen).toContain('[What Latchkey does not do](docs/not-included.md)')
})

it('shows at most twelve lines of CDK', () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(firstScreen) ?? []
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(12)
})

it('loads nothing from other hosts', () => {
  expect(firstScreen).not.toMatch(/!\[[^\]]*\]\(https?:|(?:src|srcset)="https?:/)
})
