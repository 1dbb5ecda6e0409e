import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateResponse } from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { corpusSize } from '../../../support/corpus-size.ts'
import { makeBench } from '../../../support/saml-bench.ts'

const bench = await makeBench()

type Mutation = (text: string) => string

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const at = (text: string, where: number) => Math.floor(where * text.length)
const words = [
  ...['<saml:NameID>eve@example.com</saml:NameID>', '<!---->', '<![CDATA[eve]]>', '&#x65;', '&e;', '</'],
  ...['<saml:Assertion/>', '<saml:Issuer/>', ' ID="_x"', ' xmlns="x"', '<?x?>', '\u0000', '\ud800', '>', '"'],
]

/** Removes, repeats, moves or inserts pieces. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, place).map(
    ([from, length]): Mutation =>
      (text) =>
        text.slice(0, at(text, from)) + text.slice(at(text, from) + Math.floor(length * 80)),
  ),
  fc.tuple(place, place, place).map(
    ([from, length, to]): Mutation =>
      (text) => {
        const piece = text.slice(at(text, from), at(text, from) + Math.floor(length * 400))
        return text.slice(0, at(text, to)) + piece + text.slice(at(text, to))
      },
  ),
  fc.tuple(place, fc.constantFrom(...words)).map(
    ([to, word]): Mutation =>
      (text) =>
        text.slice(0, at(text, to)) + word + text.slice(at(text, to)),
  ),
  fc
    .tuple(
      fc.constantFrom('ada@', '2.0', 'Assertion', 'saml:', 'http'),
      fc.constantFrom('eve@', '1.1', 'x', ''),
    )
    .map(
      ([part, by]): Mutation =>
        (text) =>
          text.replaceAll(part, by),
    ),
)

it('a mutated response is rejected with an explanation, or names the same user', {
  timeout: 120_000,
}, async () => {
  const forms = await Promise.all(
    (['assertion', 'response', 'both'] as const).map((sign) => bench.posted({ sign })),
  )
  const originals = forms.map((form) => Buffer.from(form, 'base64').toString())
  const honest = await validateResponse(forms[0] ?? '', bench.expected())
  expect(honest).toHaveProperty('assertion.subject.nameId', 'ada@example.com')
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...originals),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      async (original, mutations) => {
        const changed = mutations.reduce((text, change) => change(text), original)
        const received = await validateResponse(Buffer.from(changed).toString('base64'), bench.expected())
        if ('assertion' in received) expect(received.assertion.subject.nameId).toBe('ada@example.com')
        else expect(received.refusal.finding.problem).toMatch(/^[A-Z][\s\S]*\.$/)
      },
    ),
    { numRuns: corpusSize(300) },
  )
})

it('arbitrary input is rejected with an explanation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })),
      async (posted) => {
        const received = await validateResponse(posted, bench.expected())
        expect(received).toHaveProperty('refusal.finding.problem')
      },
    ),
    { numRuns: corpusSize(300) },
  )
})
