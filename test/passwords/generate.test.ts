import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../lib/features/passwords/evaluate.ts'
import { generateFromPolicy } from '../../lib/features/passwords/generate.ts'
import type { PasswordPolicy } from '../../lib/features/passwords/policy.records.ts'
import { checkPolicy, defaultPolicy } from '../../lib/features/passwords/policy.ts'
import type { Services } from '../../lib/services.ts'
import { corpusSize } from '../support/corpus-size.ts'
import { fourClasses, policyWith, rule } from '../support/policies.ts'

/** Generating needs neither the table nor the network. */
const services = { config: { breachEndpoint: undefined } } as Services

const policies: Readonly<Record<string, PasswordPolicy>> = {
  'the default': defaultPolicy,
  'no requirements': policyWith(),
  'four classes': policyWith({ rules: fourClasses }),
  'ten of each of four classes': policyWith({
    rules: fourClasses.map((given) => ({ ...given, min_count: 10 })),
  }),
  'the greatest length': policyWith({ min_length: 128 }),
  'a first letter and a last mark': policyWith({ regex: '^[A-Z][a-z0-9]{18,30}[!?]$' }),
  'an expression and rules': policyWith({
    regex: '^[A-Za-z0-9!?]{20,24}$',
    rules: [rule('digits', '[0-9]', 4), rule('marks', '[!?]', 3)],
  }),
  'a first letter and rules': policyWith({
    regex: '^[a-zA-Z].*$',
    rules: [rule('digits', '[0-9]', 2), rule('marks', '[^a-zA-Z0-9]', 2)],
  }),
  'a first small letter and digits': policyWith({
    regex: '^[a-z][a-z0-9]{19,}$',
    rules: [rule('digits', '[0-9]', 3)],
  }),
  'letters and digits only': policyWith({ regex: '^[A-Za-z0-9]+$', rules: [rule('digits', '\\d', 1)] }),
  'digits only': policyWith({ regex: '^[0-9]+$' }),
  'digits only, as a class escape': policyWith({ regex: '^\\d{20,}$' }),
  'two letters only': policyWith({ regex: '^[ab]+$' }),
  'one fixed length': policyWith({ regex: '^[0-9a-f]{32}$' }),
  'an uncommon fixed length': policyWith({ regex: '^[A-F0-9]{57}$' }),
  'a fixed length in parts': policyWith({ regex: '^(?:[0-9a-f]{2}){16}$' }),
  'no blank anywhere': policyWith({ regex: '^\\S+$', rules: fourClasses }),
  'look-alike characters': policyWith({ rules: [rule('look-alikes', '[O0lI]', 5)] }),
  umlauts: policyWith({ rules: [rule('umlauts', '[äöüß]', 3)] }),
  'another script': policyWith({ rules: [rule('Greek letters', '\\p{Greek}', 4)] }),
  'rules that overlap': policyWith({
    regex: '^.{20,22}$',
    rules: [
      rule('small letters', '[a-z]', 18),
      rule('letters', '[a-zA-Z]', 18),
      rule('word characters', '\\w', 18),
    ],
  }),
  'a part in any place': policyWith({ regex: '[A-Z]' }),
  'a separate word': policyWith({ regex: '\\b[A-Z]+\\b' }),
  'a run of letters': policyWith({ rules: [rule('runs of small letters', '[a-z]{3,}', 1)] }),
}

const eachPolicy = corpusSize(50)

describe('generated passwords', () => {
  it.each(Object.entries(policies))(`meet a policy with %s, all ${eachPolicy} of them`, async (_, policy) => {
    const checked = await checkPolicy(policy)
    const passwords = new Set<string>()
    for (let count = 0; count < eachPolicy; count++) {
      const { password = '', errors } = await generateFromPolicy(services, checked)
      expect(errors).toBeUndefined()
      expect([...password].length).toBeGreaterThanOrEqual(20)
      expect(await evaluate(services, password, checked)).toEqual([])
      passwords.add(password)
    }
    expect(passwords.size).toBe(eachPolicy)
  })

  it('meet every expression of one character class and one length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(
          fc.subarray(['a-z', 'A-Z', '0-9', '#%&'], { minLength: 1 }),
          fc.subarray(['!', '_', 'äöü', ' ']),
        ),
        fc.integer({ min: 40, max: 128 }),
        async ([sets, others], length) => {
          const policy = await checkPolicy(
            policyWith({ regex: `^[${[...sets, ...others].join('')}]{${length}}$` }),
          )
          const { password = '' } = await generateFromPolicy(services, policy)
          expect(await evaluate(services, password, policy)).toEqual([])
          expect([...password]).toHaveLength(length)
        },
      ),
      { numRuns: corpusSize(40) },
    )
  })

  it('reach the entropy that a policy requires', async () => {
    const checked = await checkPolicy(policyWith({ min_entropy_bits: 128, rules: fourClasses }))
    for (let count = 0; count < corpusSize(4); count++) {
      const { password = '' } = await generateFromPolicy(services, checked)
      expect(await evaluate(services, password, checked)).toEqual([])
    }
  })

  it('avoid look-alike characters where the policy leaves the choice', async () => {
    const policy = await checkPolicy(policyWith({ rules: fourClasses }))
    const all = await Promise.all(Array.from({ length: 300 }, () => generateFromPolicy(services, policy)))
    expect(all.map(({ password }) => password).join('')).not.toMatch(/[0OoQ1lI|!`'",.;:_~^\-\s]/)
  })

  it('use each character of their alphabet about equally often', async () => {
    const policy = await checkPolicy(policyWith())
    const counts = new Map<string, number>()
    for (let round = 0; round < 2000; round++)
      for (const character of (await generateFromPolicy(services, policy)).password ?? '')
        counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(55)
    const expected = 40_000 / 55
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // A fair draw gives 54 on average, with a deviation of 10. A byte modulo 55 gives 470.
    expect(chiSquare).toBeLessThan(140)
  })

  it('have the characters that rules require at any position', async () => {
    const policy = await checkPolicy(policyWith({ rules: [rule('marks', '[#%]', 1)] }))
    const places = new Set<number>()
    for (let round = 0; round < 1000; round++)
      places.add((await generateFromPolicy(services, policy)).password?.search(/[#%]/) ?? -1)
    expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, place) => place))
  })
})

describe('a policy that no generated password meets', () => {
  it.each<{ why: string; policy: Partial<PasswordPolicy>; field: string; message: RegExp }>([
    {
      why: 'an expression for short passwords only',
      policy: { regex: '^.{8,12}$' },
      field: 'regex',
      message: /some length from 20 to 128 characters/,
    },
    {
      why: 'an expression for a single password',
      policy: { regex: '^correct horse battery staple$' },
      field: 'regex',
      message: /some length from 20 to 128 characters/,
    },
    {
      why: 'an expression for one password of each length',
      policy: { regex: '^a+$' },
      field: 'body',
      message: /so few passwords that they could be guessed/,
    },
    {
      why: 'an expression for groups with separators',
      policy: { regex: '^[a-z]{6}(-[a-z0-9]{6}){3}$' },
      field: 'regex',
      message: /same character classes in all positions except the first and the last/,
    },
    {
      why: 'an expression that contradicts a rule',
      policy: { regex: '^[a-z]+$', rules: [rule('digits', '\\d', 1)] },
      field: 'body',
      message: /must contain digits at least once/,
    },
    {
      why: 'a rule that no character meets',
      policy: { rules: [rule('anything', '.', 1), rule('nothing', '[^\\x00-\\x{10FFFF}]', 1)] },
      field: 'rules.1.group_regex',
      message: /must match something/,
    },
    {
      why: 'a rule for a script that is never typed',
      policy: { rules: [rule('hieroglyphs', '\\p{Egyptian_Hieroglyphs}', 1)] },
      field: 'rules.0.group_regex',
      message: /must match something/,
    },
    {
      why: 'a rule for a word',
      policy: { rules: [rule('horses', 'horse', 2)] },
      field: 'rules.0.group_regex',
      message: /a single letter, digit, or symbol/,
    },
    {
      why: 'more entropy than the expression has room for',
      policy: { min_entropy_bits: 128, regex: '^[0-9]{20,40}$' },
      field: 'regex',
      message: /some length from 41 to 128 characters/,
    },
    {
      why: 'an expression that matches nothing',
      policy: { regex: 'a^b' },
      field: 'regex',
      message: /some length/,
    },
  ])('is refused with a reason: $why', async ({ policy, field, message }) => {
    const checked = await checkPolicy(policyWith(policy))
    const { password, errors = [] } = await generateFromPolicy(services, checked)
    expect(password).toBeUndefined()
    expect(errors).toEqual([{ field, message: expect.stringMatching(message) }])
  })
})
