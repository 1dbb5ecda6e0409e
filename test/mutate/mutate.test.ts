import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { afterEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/soak/random.ts'
import { drawMutants } from './draw-mutants.ts'
import { applyMutant, findMutants } from './find-mutants.ts'
import { addProbes } from './probes.ts'
import { findNearTests } from './reach.ts'
import { parse } from './syntax.ts'
import { listMutated } from './tree.ts'

const mutate = (source: string): readonly string[] =>
  findMutants('a.ts', source).map((mutant) => applyMutant(source, mutant))

describe('mutants of', () => {
  it.each([
    ['if (a) b = 1', ['if (!(a)) b = 1', 'if (a) b = 2']],
    ['const f = (a) => { check(a) }', ['const f = (a) => { {} }']],
    ['if (a) throw b', ['if (!(a)) throw b', 'if (a) {}']],
    ['const c = a <= b', ['const c = ((a) < (b))']],
    ['const c = a && b', ['const c = (a)', 'const c = (b)']],
    [
      'const c = (a || b) && d',
      ['const c = (a || b)', 'const c = (d)', 'const c = ((a)) && d', 'const c = ((b)) && d'],
    ],
    ['const c = [a, b, d]', ['const c = [b, d]', 'const c = [a, d]', 'const c = [a, b]']],
    ['const f = () => { return a }', ['const f = () => { return undefined }']],
    ['const f = async () => await a', ['const f = async () => undefined']],
    ['const c = true', ['const c = false']],
    ['const c = a.includes(b)', ['const c = String(a).includes(b)']],
    ['const c = a.startsWith(b)', ['const c = a.includes(b)']],
    ['const c = a.filter(b)', ['const c = a']],
    ['const c = a - b', ['const c = ((a) + (b))']],
  ])('%s', (source, changed) => {
    expect(mutate(source).toSorted()).toEqual(changed.toSorted())
  })

  it.each([
    'type A = [1, 2]',
    'const text = docs && describe(() => [1, true])',
    'const exampleUser = { id: 1 }',
    'const op = { summary: isA && isB, text: describe(() => true) }',
    'const a = b as Record<0 | 1, true>',
    'const a = model(b, () => ({ description: c && d }))',
    'class A { constructor() { super() } }',
  ])('%s are none: they say something to readers alone', (source) => {
    expect(mutate(source)).toEqual([])
  })

  it('the sources can be parsed, and differ from them', () => {
    const readSource = (file: string) => readFileSync(file, 'utf8')
    // Fewer may leave out a rare kind, by chance.
    const count = 200
    const options = { files: listMutated(), count, readSource }
    const drawn = drawMutants({ ...options, random: createRandom(7) })
    expect(drawn).toEqual(drawMutants({ ...options, random: createRandom(7) }))
    expect(drawn).not.toEqual(drawMutants({ ...options, random: createRandom(8) }))
    expect(new Set(drawn.map(({ file }) => file)).size).toBe(count)
    expect(new Set(drawn.map(({ kind }) => kind)).size).toBe(9)
    for (const mutant of drawn) {
      const source = readSource(mutant.file)
      const changed = applyMutant(source, mutant)
      expect(changed).not.toBe(source)
      expect(() => parse(changed)).not.toThrow()
    }
  })
})

describe('probes', () => {
  afterEach(() => {
    globalThis.countCall = undefined
  })

  it('count the calls of each function, and change no result', async () => {
    const source = `
      const object = () => ({ value: 1 })
      const nested = (a: number) => (b: number) => a + b
      class Counter { next() { return 3 } }
      export const found = [object().value, nested(1)(1), new Counter().next(), [1, 2].map((one) => one)]
    `
    const names: string[] = []
    const calls: string[] = []
    globalThis.countCall = (number) => void calls.push(names[number] ?? '')
    const probed = addProbes(source, (name) => names.push(name) - 1)
    const { found } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(probed))}`)
    expect(found).toEqual([1, 2, 3, [1, 2]])
    expect(calls).toEqual([
      ...['/object()', '/nested()', '/nested()()', '/Counter/next()', '/found()', '/found()', ''],
    ])
  })
})

it('tests that name the feature and call little else come first, and tests that do not reach a mutant are left out', () => {
  const source = 'lib/features/tickets/use-cases.ts'
  const functions = [`${source} /check()`, 'lib/http/page.ts /read()', `${source} `]
  const measured = (ms: number, ...calls: readonly (readonly [number, number])[]) => ({
    ...{ hash: '', ms, calls },
    run: 0,
    isUnreliable: false,
  })
  const files = {
    'test/audit/audit-chain.test.ts': measured(9000, [0, 1], [1, 1000]),
    'test/pages/pages.test.ts': measured(10, [1, 5]),
    'test/audit/audit.test.ts': measured(100, [0, 1], [1, 1000]),
    'test/tickets/tickets.test.ts': measured(100, [0, 50], [1, 100]),
    // The source was another one when this was measured, which only loaded it.
    'test/pages/default-pages.test.ts': { ...measured(90_000, [2, 1]), run: 1 },
    'test/tickets/ticket-context.test.ts': { ...measured(100, [0, 50]), isUnreliable: true },
  }
  const [mutant] = findMutants(source, 'const check = () => { return one }')
  expect(
    mutant &&
      findNearTests({ functions, files, runs: [{ [source]: 'now' }, { [source]: 'before' }] }, mutant, 'now'),
  ).toEqual([
    'test/tickets/tickets.test.ts',
    'test/audit/audit.test.ts',
    'test/audit/audit-chain.test.ts',
    'test/pages/default-pages.test.ts',
  ])
})

it.each([
  [['--sed', '1'], /Did you mean --seed\?/],
  [['--count', 'x'], /It must be a whole number/],
  [['60'], /too many arguments/],
])('the command refuses %j', (options, message) => {
  const run = () => execFileSync(process.execPath, ['test/mutate/run.ts', ...options], { stdio: 'pipe' })
  expect(run).toThrow(message)
})
