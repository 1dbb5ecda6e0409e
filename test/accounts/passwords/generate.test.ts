import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../lib/accounts/passwords/evaluate.ts'
import { createGenerator } from '../../../lib/accounts/passwords/generate.ts'
import { checkPolicy, defaultPolicy } from '../../../lib/accounts/passwords/policy.ts'
import type { Services } from '../../../lib/services.ts'
import type { PasswordPolicy } from '../../../lib/store/directory/password-policy.ts'
import { fourClasses, policyWith, rule } from '../../support/policies.ts'

/** Neither the table nor the network is asked here. */
const services = { config: { breachEndpoint: undefined } } as Services

const policies: Readonly<Record<string, PasswordPolicy>> = {
  'the default': defaultPolicy,
  nothing: policyWith(),
  'four classes': policyWith({ rules: fourClasses }),
  'ten of each class': policyWith({ rules: fourClasses.map((given) => ({ ...given, minCount: 10 })) }),
  'the greatest length': policyWith({ minLength: 128 }),
  'a form': policyWith({ regex: '^[A-Z][a-z0-9]{18,30}[!?]$' }),
  'a form and rules': policyWith({
    regex: '^[A-Za-z0-9!?]{20,24}$',
    rules: [rule('digits', '[0-9]', 4), rule('marks', '[!?]', 3)],
  }),
  'digits alone': policyWith({ regex: '^[0-9]+$' }),
  'two letters alone': policyWith({ regex: '^[ab]+$' }),
  'a fixed length': policyWith({ regex: '^[0-9a-f]{32}$' }),
  'look-alikes': policyWith({ rules: [rule('look-alikes', '[O0lI]', 5)] }),
  umlauts: policyWith({ rules: [rule('umlauts', '[äöüß]', 3)] }),
  'another script': policyWith({ rules: [rule('Greek letters', '\\p{Greek}', 4)] }),
  'pairs of characters': policyWith({ rules: [rule('letters before digits', '[a-z][0-9]', 4)] }),
  'a word': policyWith({ rules: [rule('horses', 'horse', 2)] }),
  'rules that overlap': policyWith({
    regex: '^.{20,22}$',
    rules: [
      rule('small letters', '[a-z]', 18),
      rule('letters', '[a-zA-Z]', 18),
      rule('word characters', '\\w', 18),
    ],
  }),
  groups: policyWith({ regex: '^[a-z]{6}(-[a-z0-9]{6}){3}$', rules: [rule('digits', '\\d', 3)] }),
  'a part somewhere': policyWith({ regex: '[A-Z]{3}[0-9]{3}' }),
  'a word by itself': policyWith({ regex: '\\b[A-Z]+\\b' }),
  'runs of letters': policyWith({ rules: [rule('runs of small letters', '[a-z]{3,}', 3)] }),
  'words with blanks between': policyWith({ regex: '^\\S+( \\S+){3,}$' }),
}

describe('generated passwords', () => {
  it.each(Object.entries(policies))('meet a policy of %s, all 1,000', async (_, policy) => {
    const checked = await checkPolicy(policy)
    const generate = createGenerator(checked)
    const made = new Set<string>()
    for (let count = 0; count < 1000; count++) {
      const { password = '', faults } = await generate(services)
      expect(faults).toBeUndefined()
      expect([...password].length).toBeGreaterThanOrEqual(20)
      expect(await evaluate(services, password, checked)).toEqual([])
      made.add(password)
    }
    expect(made.size).toBe(1000)
  })

  it('reach the entropy that a policy asks for', async () => {
    const checked = await checkPolicy(policyWith({ minEntropyBits: 128, rules: fourClasses }))
    const generate = createGenerator(checked)
    for (let count = 0; count < 20; count++) {
      const { password = '' } = await generate(services)
      expect(await evaluate(services, password, checked)).toEqual([])
    }
  })

  it('are made of characters that nobody takes for one another, where the policy leaves the choice', async () => {
    const generate = createGenerator(await checkPolicy(policyWith({ rules: fourClasses })))
    const all = await Promise.all(Array.from({ length: 300 }, () => generate(services)))
    expect(all.map(({ password }) => password).join('')).not.toMatch(/[0OoQ1lI|!`'",.;:_~^\-\s]/)
  })

  it('use each character of their alphabet about as often', async () => {
    const generate = createGenerator(await checkPolicy(policyWith()))
    const counts = new Map<string, number>()
    for (let round = 0; round < 2000; round++)
      for (const character of (await generate(services)).password ?? '')
        counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(55)
    const expected = 40_000 / 55
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // By chance it is 54, give or take 10: never 140. A byte modulo 55 makes it 470.
    expect(chiSquare).toBeLessThan(140)
  })

  it('have what rules ask for at any place', async () => {
    const generate = createGenerator(await checkPolicy(policyWith({ rules: [rule('marks', '[#%]', 1)] })))
    const places = new Set<number>()
    for (let round = 0; round < 1000; round++)
      places.add((await generate(services)).password?.search(/[#%]/) ?? -1)
    expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, place) => place))
  })
})

describe('a policy that can’t be met is told', () => {
  it.each<{ why: string; policy: Partial<PasswordPolicy>; field: string; message: RegExp }>([
    {
      why: 'too short a form',
      policy: { regex: '^.{8,12}$' },
      field: 'regex',
      message: /some length from 20 to 128 characters/,
    },
    {
      why: 'one password alone',
      policy: { regex: '^correct horse battery staple$' },
      field: 'body',
      message: /so few passwords that they could be guessed/,
    },
    {
      why: 'two passwords',
      policy: { regex: '^(correct horse battery staple|staple battery horse correct)$' },
      field: 'body',
      message: /so few passwords that they could be guessed/,
    },
    {
      why: 'form and rule that contradict',
      policy: { regex: '^[a-z]+$', rules: [rule('digits', '\\d', 1)] },
      field: 'body',
      message: /must contain digits at least once/,
    },
    {
      why: 'a rule for no character at all',
      policy: { rules: [rule('anything', '.', 1), rule('nothing', '[^\\x00-\\x{10FFFF}]', 1)] },
      field: 'rules.1.group_regex',
      message: /must match something/,
    },
    {
      why: 'a script that nobody types',
      policy: { rules: [rule('hieroglyphs', '\\p{Egyptian_Hieroglyphs}', 1)] },
      field: 'rules.0.group_regex',
      message: /must match something/,
    },
    {
      why: 'more characters than a password should need',
      policy: { rules: [rule('long words', 'a{30}', 20)] },
      field: 'rules',
      message: /more than 128 characters/,
    },
    {
      why: 'more entropy than there is room for',
      policy: { minEntropyBits: 128, regex: '^[0-9]{30}a*$' },
      field: 'body',
      message: /too easy to guess/,
    },
    {
      why: 'a place that there isn’t',
      policy: { regex: 'a^b' },
      field: 'regex',
      message: /some length/,
    },
  ])('for $why', async ({ policy, field, message }) => {
    const { password, faults = [] } = await createGenerator(await checkPolicy(policyWith(policy)))(services)
    expect(password).toBeUndefined()
    expect(faults).toEqual([{ field, message: expect.stringMatching(message) }])
  })
})
