import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findMutants } from './find-mutants.ts'
import { judgeMutant } from './judge-mutant.ts'
import { hashOf } from './reach.ts'
import { createTestClient, type Outcome } from './test-client.ts'

const source = 'lib/features/tickets/use-cases.ts'
const near = 'test/tickets/tickets.test.ts'

/** A project with one source and one test. Its test process is that of mutants, or another one. */
const makeTree = (testText: string, testProcess?: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const tree = join(folder, 'tree')
  for (const name of ['test/mutate', 'test/tickets', 'lib/features/tickets'])
    mkdirSync(join(tree, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'))
  writeFileSync(join(tree, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(tree, 'vitest.config.ts'),
    "export default { test: { fsModuleCachePath: 'cache', projects: [{ test: { name: 'unit' } }] } }",
  )
  writeFileSync(join(tree, source), 'export const check = () => { return 1 }')
  writeFileSync(join(tree, near), testText)
  if (testProcess === undefined)
    cpSync('test/mutate/test-process.ts', join(tree, 'test/mutate/test-process.ts'))
  else writeFileSync(join(tree, 'test/mutate/test-process.ts'), testProcess)
  return tree
}

const start = (tree: string) => {
  const client = createTestClient(tree)
  onTestFinished(() => client.end())
  return client
}

it.each([
  ['has no prototype', 'Object.create(null)'],
  ['cannot be converted to a text', "({ toString: () => 'a reason' })"],
])('the test process reports a rejection whose reason %s, and goes on', async (_, reason) => {
  const tree = makeTree(
    [
      "import { it } from 'vitest'",
      `it('rejects', async () => { void Promise.reject(${reason}); await new Promise(setImmediate) })`,
    ].join('\n'),
  )
  const client = start(tree)
  const request = { files: [join(tree, near)], bails: true }
  for (let round = 0; round < 2; round++)
    expect(await client.run(request, 60_000)).toEqual({
      failures: [expect.stringContaining('an unhandled error: ')],
    })
})

it('a test process that ends without a result has crashed, and is started again', async () => {
  const crashing =
    "process.on('message', ({ bails }) => bails ? process.exit(1) : process.send({ failures: [] }))\nprocess.send([])"
  const client = start(makeTree('', crashing))
  expect(await client.run({ files: [], bails: true }, 60_000)).toBe('crashed')
  expect(await client.run({ files: [], bails: false }, 60_000)).toEqual({ failures: [] })
})

it.each([
  ['crashed', 'inconclusive'],
  [{ failures: ['tickets.test.ts: expected 1'] }, 'killed'],
] as const satisfies readonly (readonly [Outcome, string])[])(
  'a mutant whose near tests end with %j is %s',
  async (result, outcome) => {
    const tree = makeTree('')
    const [mutant] = findMutants(source, 'export const check = () => { return 1 }')
    if (!mutant) throw new Error('there is no mutant')
    const reach = {
      functions: [`${source} /check()`],
      files: { [near]: { hash: '', ms: 1, calls: [[0, 1]] as const, run: 0, isUnreliable: false } },
      runs: [{ [source]: hashOf(join(tree, source)) }],
    }
    const client = { run: async () => result, noteChange: () => undefined }
    expect((await judgeMutant(mutant, { tree, reach, client })).outcome).toBe(outcome)
  },
)
