import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Mutant } from './find-mutants.ts'
import { addProbes, moduleScope } from './probes.ts'
import { createTestClient } from './test-client.ts'
import { changeSource, listMutated, restoreSources } from './tree.ts'

/** What a test file calls, and how long it takes. */
interface Reached {
  /** The hash of the test file. It is measured again after a change. */
  readonly hash: string
  readonly ms: number
  /** Pairs of a function, as its number, and the number of calls. */
  readonly calls: readonly (readonly [number, number])[]
  /** The position in `runs`. */
  readonly run: number
  /** Whether it failed without a mutant, so that its failure says nothing. */
  readonly isUnreliable: boolean
}

/** Which test files call which functions. */
export interface Reach {
  /** The functions as their files and names. */
  readonly functions: string[]
  readonly files: Record<string, Reached>
  /** The hashes of the sources in each run of measurements. */
  readonly runs: Readonly<Record<string, string>>[]
}

const toName = (file: string, scope: string): string => `${file} ${scope}`

/** The hash of a file, which tells whether it was changed. */
export const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('base64url')

/** How many test files are measured at a time. What was measured is kept when the command is stopped. */
const filesAtOnce = 60

const startNoting = `
import { noteReach } from '../mutate/note-reach.ts'
noteReach()
`

/**
 * Runs all test files that are new or have changed with probes in all functions, and keeps what they call in the file `cache`. The
 * sources of the copy are as before afterwards.
 */
export const measureReach = async (
  tree: string,
  cache: string,
  report: (line: string) => void,
): Promise<Reach> => {
  const reach: Reach = existsSync(cache)
    ? JSON.parse(readFileSync(cache, 'utf8'))
    : { functions: [], files: {}, runs: [] }
  const output = join(tree, '.reach')
  const client = createTestClient(tree, { MUTATE_REACH: output })
  const isKnown = (path: string): boolean => reach.files[relative(tree, path)]?.hash === hashOf(path)
  const left = (await client.listFiles()).filter((path) => !isKnown(path))
  if (left.length === 0) {
    await client.end()
    return reach
  }
  const numbers = new Map(reach.functions.map((name, number) => [name, number]))
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? reach.functions.push(name) - 1
    numbers.set(name, number)
    return number
  }
  const setup = 'test/support/fresh-state.ts'
  const run = reach.runs.push(Object.fromEntries(listMutated().map((file) => [file, hashOf(file)]))) - 1
  try {
    changeSource(tree, setup, startNoting + readFileSync(join(tree, setup), 'utf8'))
    for (const file of listMutated()) {
      const source = readFileSync(join(tree, file), 'utf8')
      changeSource(
        tree,
        file,
        addProbes(source, (scope) => numberOf(toName(file, scope))),
      )
    }
    // Nothing was transformed so far, but the setup file may have been.
    client.noteChange(join(tree, setup))
    for (let done = 0; done < left.length; done += filesAtOnce) {
      report(`measuring which functions test files call: ${done} of ${left.length}`)
      const files = left.slice(done, done + filesAtOnce)
      writeFileSync(output, '')
      const outcome = await client.run({ files, bails: false }, 1_800_000)
      if (outcome === 'out of time') throw new Error('The test files take longer than half an hour.')
      if (outcome === 'crashed') throw new Error('The test process ended without a result.')
      for (const failure of outcome.failures) report(`  fails without a mutant: ${failure}`)
      const hasFailed = (file: string): boolean =>
        outcome.failures.some((failure) => failure.startsWith(`${file}:`))
      for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
        const { testPath, ms, calls } = JSON.parse(line)
        const file = relative(tree, testPath)
        reach.files[file] = { hash: hashOf(testPath), ms, calls, run, isUnreliable: hasFailed(file) }
      }
      writeFileSync(cache, JSON.stringify(reach))
    }
  } finally {
    await client.end()
    restoreSources(tree)
  }
  return reach
}

const wordsOf = (path: string): readonly string[] => [
  ...new Set(
    path
      .replace(/^(lib\/features|lib|functions|test)\//, '')
      .replace(/(\.test)?\.ts$/, '')
      .split(/[^a-z0-9]+/)
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => word.length > 2),
  ),
]

/**
 * Lists the test files that reach a mutant, those first that are most likely to notice it in little time. `sourceHash` is that of its
 * file without it.
 */
export const findNearTests = (
  { functions, files, runs }: Reach,
  mutant: Mutant,
  sourceHash: string,
): readonly string[] => {
  const inFunction = functions.indexOf(toName(mutant.file, mutant.scope))
  const inModule = functions.indexOf(toName(mutant.file, moduleScope))
  const words = wordsOf(mutant.file)
  return Object.entries(files)
    .flatMap(([file, { ms, calls, run, isUnreliable }]) => {
      // If the source has changed since the measurement, all tests that load it are as near.
      const number = runs[run]?.[mutant.file] === sourceHash ? inFunction : inModule
      const count = calls.find(([called]) => called === number)?.[1]
      if (count === undefined || isUnreliable) return []
      const total = calls.reduce((sum, [, one]) => sum + one, 0)
      const shared = wordsOf(file).filter((word) => words.includes(word)).length
      const nearness = shared / words.length + Math.min(1, (100 * count) / total) + 0.1
      return [{ file, score: nearness / (2000 + ms) }]
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ file }) => file)
}
