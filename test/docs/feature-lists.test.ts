import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reference } from '../../lib/features/pages/reference.prebuilt.ts'
import { findEntries } from '../../web/reference/find-entries.ts'
import { useService } from '../support/use-service.ts'

/* Each row of the lists of others is answered: yes by a test, no by a day and a line of what is not included. */

const service = await useService()
const page = readFileSync('docs/feature-lists.md', 'utf8')
const sections = page
  .split('\n## ')
  .slice(1)
  .map((text) => ({
    title: text.split('\n')[0] ?? '',
    rows: [...text.matchAll(/^\| (?!feature|---)(.+) \| (yes|no) \| (.*) \| (.+) \|$/gm)].map(
      ([, feature = '', answer = '', note = '', proof = '']) => ({ feature, answer, note, proof }),
    ),
    source: /^The list: <(https:\/\/\S+)>\.$/m.exec(text)?.[1],
    lines: (text.match(/^\| /gm) ?? []).length,
  }))

describe.each(sections)('the list: $title', ({ rows, source, lines }) => {
  it('says where it is from, and answers each row', () => {
    expect(source).toBeDefined()
    expect(rows).toHaveLength(lines - 2)
  })

  it('has a test that exists for each yes', () => {
    for (const { feature, proof } of rows.filter(({ answer }) => answer === 'yes'))
      expect(existsSync(proof.replaceAll('`', '')), `${feature}: ${proof}`).toBe(true)
  })

  it('has a day and a way around for each no', () => {
    for (const { feature, note, proof } of rows.filter(({ answer }) => answer === 'no')) {
      expect(proof, feature).toMatch(/^\d{1,2} [A-Z][a-z]+ 20\d\d$/)
      expect(note, feature).toMatch(/\(not-included\.md#[a-z]+\)$/)
    }
  })
})

const answersOf = (title: string): ReadonlyMap<string, string> =>
  new Map(
    sections
      .find((section) => section.title === title)
      ?.rows.map(({ feature, answer }) => [feature.replaceAll('`', ''), answer]),
  )

it('says yes to the grants that the metadata names, and to no other', async () => {
  const { body } = await service.client('GET', '/.well-known/openid-configuration')
  const offered = [...answersOf('Grants')].filter(([, answer]) => answer === 'yes').map(([grant]) => grant)
  expect(offered.toSorted()).toEqual(body.grant_types_supported.toSorted())
})

it.each([
  ['ldap', 'accounts'],
  ['sms', 'accounts'],
  ['attestation', 'accounts'],
  ['guest accounts', 'accounts'],
  ['fapi', 'protocols'],
  ['ciba', 'protocols'],
  ['mutual tls', 'protocols'],
  ['ropc', 'protocols'],
  ['react native', 'pages'],
  ['flutter', 'pages'],
  ['docker', 'operation'],
  ['smtp', 'operation'],
  ['govcloud', 'operation'],
  ['soc 2', 'operation'],
])('the search finds what is not included: %s', (query, section) => {
  const found = findEntries(reference.index, query)
    .slice(0, 5)
    .map(({ href }) => href)
  expect(found).toContain(`/docs/guides/not-included#${section}`)
})
