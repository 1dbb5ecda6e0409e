import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { type CredentialKind, credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'

const page = readFileSync(new URL('../../docs/leaked-credentials.md', import.meta.url), 'utf8')
const expressions = new Map(
  [...page.matchAll(/\| `(\\b(lk\w)_[^`]+)` \|/g)].map(([, expression = '', prefix = '']) => [
    prefix,
    new RegExp(expression, 'g'),
  ]),
)
const kinds = Object.entries(credentialPrefixes) as [CredentialKind, string][]

it('documents one expression for each prefix', () => {
  expect([...expressions.keys()].sort()).toEqual(Object.values(credentialPrefixes).sort())
})

it.each(kinds)('documents an expression that finds a %s in text, and no mistyped one', (kind, prefix) => {
  const expression = expressions.get(prefix) ?? /^$/
  const values = [0, 7, 2 ** 31 - 1].map((subject) => mintCredential(kind, subject).value)
  const text = `TOKEN="${values[0]}"\n{"token":"${values[1]}"} https://example.com/#token=${values[2]}&x=1`
  expect(text.match(expression)).toEqual(values)
  const [value = ''] = values
  const others = Object.values(credentialPrefixes).filter((other) => other !== prefix)
  const wrong = [
    value.slice(0, -1),
    `${value}0`,
    `x${value}`,
    value.toUpperCase(),
    value.replace('_', '-'),
    value.replace(/.$/, '-'),
    ...others.map((other) => value.replace(prefix, other)),
  ]
  for (const text of wrong) expect({ text, found: text.match(expression) }).toEqual({ text, found: null })
})

it('documents a checksum that all credentials have, and no mistyped one', async () => {
  const [, code = ''] = /```ts run\n(.*?)console\.log/s.exec(page) ?? []
  const script = `${stripTypes(code)}\nexport { isCredential }`
  const { isCredential } = await import(`data:text/javascript,${encodeURIComponent(script)}`)
  for (const [kind] of kinds)
    for (let round = 0; round < 20; round++) {
      const { value } = mintCredential(kind, round)
      expect(isCredential(value)).toBe(true)
      const at = 4 + ((round * 7) % 45)
      const typo = value[at] === 'a' ? 'b' : 'a'
      expect(isCredential(value.slice(0, at) + typo + value.slice(at + 1))).toBe(false)
    }
})

const stripTypes = (code: string): string => code.replaceAll(/: (string|boolean)\b/g, '')
