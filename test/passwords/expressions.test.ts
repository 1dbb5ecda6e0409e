import { describe, expect, it } from 'vitest'
import { evaluate } from '../../lib/features/passwords/evaluate.ts'
import { compileExpression, type Expression } from '../../lib/features/passwords/expressions.ts'
import { generateFromPolicy } from '../../lib/features/passwords/generate.ts'
import { checkPolicy } from '../../lib/features/passwords/policy.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import { cpuMsOf, referenceMs } from '../support/cpu-time.ts'
import { policyWith, rule } from '../support/policies.ts'

const services = { config: { breachEndpoint: undefined } } as Services

const compile = async (source: string): Promise<Expression> => {
  const { expression, message } = await compileExpression(source)
  if (!expression) throw new Error(message)
  return expression
}

describe('counting matches', () => {
  it.each([
    { source: '[0-9]', text: 'a1b2c3', count: 3 },
    { source: '[0-9]+', text: 'a12b3', count: 2 },
    { source: '[0-9]*', text: 'a12b3', count: 2 },
    { source: '\\b', text: 'two words', count: 0 },
    { source: 'aa', text: 'aaaaa', count: 2 },
    { source: '^[a-z]', text: 'abc', count: 1 },
    { source: '\\p{L}', text: 'Åéß😀', count: 3 },
    { source: '(?i)[a-z]', text: 'AbC', count: 3 },
    { source: '.', text: '😀😀', count: 2 },
  ])('$source in $text: $count', async ({ source, text, count }) => {
    expect((await compile(source)).count(text, 100, { left: 1e6 })).toBe(count)
  })

  it('stops at the requested count and when the steps are used up', async () => {
    const { count, size } = await compile('[a-z]')
    expect(count('a'.repeat(100), 3, { left: 1e6 })).toBe(3)
    const steps = { left: 10 * 101 * size }
    expect(count('a'.repeat(100), 100, steps)).toBeUndefined()
    expect(steps.left).toBeLessThan(0)
  })
})

describe('an expression that RE2 does not support is rejected with its reason', () => {
  it.each([
    { source: '(?=.*[0-9]).+', message: /look-around/ },
    { source: '(?!abc)', message: /look-around/ },
    { source: '(?<=a)b', message: /look-around/ },
    { source: '(?<!a)b', message: /look-around/ },
    { source: '(a)\\1', message: /back-reference/ },
    { source: '(?<x>a)\\k<x>', message: /back-reference/ },
    { source: '(', message: /missing closing \)/ },
    { source: '[a-', message: /missing closing \]/ },
    { source: '*a', message: /not a valid RE2 expression/ },
    { source: 'a{1001}', message: /invalid repeat count/ },
    { source: '(?>a+)b', message: /not a valid RE2 expression/ },
    { source: 'a'.repeat(501), message: /at most 500 characters/ },
  ])('$source', async ({ source, message }) => {
    expect((await compileExpression(source)).message).toMatch(message)
  })
})

/** The expression engine of V8 would need seconds to centuries for these, or unlimited memory. */
const hostile = {
  'nested repeats': { regex: '^(a+)+$' },
  '20 repeats with a free prefix': { regex: '(.*a){20}$' },
  '249 nested groups': { regex: `${'('.repeat(249)}a${')'.repeat(249)}` },
  'stars of stars': { regex: '(((((a*)*)*)*)*)*b' },
  'many states': { regex: '(a|b)*a(a|b){120}$' },
  'a search to the end for each match': { rules: [rule('x', '.*b|a', 64), rule('y', '.*c|a', 64)] },
  'a long search for each match': { rules: [rule('x', '(?:a?){200}b|a', 64)] },
  '80 rules with empty matches': { rules: Array.from({ length: 80 }, () => rule('x', '(?:.*b)?', 1)) },
  '100 rules of all letters': { rules: Array.from({ length: 100 }, () => rule('x', '(?i)\\p{L}', 1)) },
}
const texts = ['a'.repeat(1024), 'ab'.repeat(512), 'é'.repeat(1024), 'aB1!'.repeat(256), '😀'.repeat(1024)]

describe('a hostile expression', () => {
  it.each(Object.entries(hostile))('is checked quickly: %s', async (name, policy) => {
    const ms = await cpuMsOf(async () => {
      const checked = await checkPolicy(policyWith(policy))
      for (const text of texts) await evaluate(services, text, checked)
      await generateFromPolicy(services, checked)
    })
    process.stdout.write(`${name}: ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(100 * (await referenceMs()))
  })

  it.each(
    Object.entries({
      '1,000 nested groups': { regex: `${'('.repeat(1000)}a${')'.repeat(1000)}` },
      'repeats of repeats': { regex: '((a{30}){30}){30}' },
      'repeats of all letters': { regex: '(?:\\p{L}{1,10}){1,90}' },
      'too many together': { rules: Array.from({ length: 10 }, () => rule('x', 'a{200}', 1)) },
      'too long together': { rules: Array.from({ length: 100 }, () => rule('x', '\\p{L}'.repeat(60), 1)) },
    }),
  )('is rejected quickly: %s', async (_, policy) => {
    let error: unknown
    const ms = await cpuMsOf(async () => {
      error = await checkPolicy(policyWith(policy)).catch((thrown: unknown) => thrown)
    })
    expect(ms).toBeLessThan(100 * (await referenceMs()))
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('invalid_request')
  })
})
