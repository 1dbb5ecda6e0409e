import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { providerGuides } from '../../web/session-kit/provider-guides.ts'

/* The pages show the guides in another form than the documentation, with the same names. */

const sections = readFileSync('docs/identity-providers.md', 'utf8').split(/\n## /)

it.each(providerGuides)('the guide for $name names the same fields in the documentation', (guide) => {
  const section = sections.find((one) => one.startsWith(`${guide.name}\n`)) ?? ''
  const names = [guide.form, guide.metadata, ...guide.fields.map(({ field }) => field)]
  expect(names.filter((name) => !section.includes(name))).toEqual([])
})
