import { readFileSync } from 'node:fs'
import { sizes } from '../../bench/monthly-costs.ts'
import { operations } from '../../lib/features/operations.ts'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import manifest from '../../package.json' with { type: 'json' }
import { owner } from '../release/owner.ts'
import { comparisonTable, dollars, priceOurs } from './comparison.ts'

/** The README and its badges, with the numbers that the code and the page about cost have, and the policy about vulnerabilities. */
export const readmeFiles = (): readonly (readonly [path: string, text: string])[] => [
  ...['README.md', 'SECURITY.md'].map((path) => [path, fillParts(readFileSync(path, 'utf8'))] as const),
  ...Object.entries(badges).map(
    ([name, [label, value]]) => [`docs/pictures/${name}.svg`, renderBadge(label, value)] as const,
  ),
]

const badges: Readonly<Record<string, readonly [label: string, value: string]>> = {
  license: ['license', manifest.license],
  node: ['Node.js', manifest.engines.node.replace('>=', '≥ ')],
  operations: ['operations', String(operations.length)],
  languages: ['languages of pages', String(languages.length)],
}

/** Replaces what is between `<!-- cost -->` and `<!-- end of cost -->`, and so on for each part. */
const fillParts = (text: string): string =>
  Object.entries(parts).reduce(
    (filled, [name, write]) =>
      filled.replace(
        new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end of ${name} -->)`),
        (_, start: string, end: string) => `${start}${write()}\n${end}`,
      ),
    text,
  )

const parts: Readonly<Record<string, () => string>> = {
  badges: () =>
    Object.entries(badges)
      .map(([name, [label, value]]) => `![${label}: ${value}](docs/pictures/${name}.svg)`)
      .join('\n'),
  cost: () => {
    const [small, medium] = sizes.map((size) => dollars(priceOurs(size, 'C')))
    return `No price per user: AWS charges from ${small} dollars a month for 1,000 users and from ${medium} for 50,000 ([Cost](docs/cost.md)).`
  },
  'security contact': () =>
    owner.securityContact === undefined
      ? 'Send the report privately to the person or the address from which you have Latchkey. Its owner has not stated an address yet, so it is not released.'
      : `Send the report privately to <${owner.securityContact.replace(/^mailto:/, '')}>.`,
  comparison: comparisonTable,
}

const height = 20
/** The width of a text in the font of the badge. `textLength` makes it true with every font. */
const widthOf = (text: string): number => Math.round(text.length * 6.6) + 12

const renderBadge = (label: string, value: string): string => {
  const [left, right] = [widthOf(label), widthOf(value)]
  const renderText = (text: string, from: number, width: number): string =>
    `<text x="${from + 6}" y="14" textLength="${width - 12}" fill="#fff">${text}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${label}: ${value}">
  <clipPath id="corners"><rect width="${left + right}" height="${height}" rx="4" /></clipPath>
  <g clip-path="url(#corners)">
    <rect width="${left}" height="${height}" fill="#374151" />
    <rect x="${left}" width="${right}" height="${height}" fill="#1d4ed8" />
  </g>
  <g font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    ${renderText(label, 0, left)}
    ${renderText(value, left, right)}
  </g>
</svg>
`
}
