import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { applyMutant, type Mutant } from './find-mutants.ts'
import { findNearTests, hashOf, type Reach } from './reach.ts'
import type { createTestClient } from './test-client.ts'
import { changeSource, restoreSources } from './tree.ts'

export interface Verdict {
  readonly outcome: 'killed' | 'refused by types' | 'survived' | 'inconclusive'
  /** The test or type that noticed, which tests did not, or why nothing is known. */
  readonly by: string
  readonly seconds: number
}

interface JudgeOptions {
  readonly tree: string
  readonly reach: Reach
  readonly client: Pick<ReturnType<typeof createTestClient>, 'run' | 'noteChange'>
}

const crash = 'the test process ended without a result'

/** How many test files run before the types are checked. */
const nearFiles = 8
/** How many test files run at a time after that. */
const wideFiles = 40
/** A mutant that makes its near tests run this long has made them wait for something. */
const nearLimitMs = 300_000
/** All other tests together. */
const wideLimitMs = 900_000

/**
 * A name that is not used any more is no refusal: a person who makes this mistake also removes its import. What was checked is kept for
 * the next mutant.
 */
const typeOptions = [
  ...['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'],
  ...['--incremental', '--tsBuildInfoFile', '.types'],
]

/** Returns the first type error of a project, or undefined. */
const findTypeError = (tree: string): Promise<string | undefined> =>
  new Promise((done) => {
    const tsc = resolve('node_modules/typescript/bin/tsc')
    execFile(process.execPath, [tsc, ...typeOptions], { cwd: tree }, (error, output) =>
      done(error ? output.split('\n')[0] : undefined),
    )
  })

/** Runs near tests, then types, then all other tests that reach a mutant, until one of them notices it. */
export const judgeMutant = async (
  mutant: Mutant,
  { tree, reach, client }: JudgeOptions,
): Promise<Verdict> => {
  const startedAt = performance.now()
  const path = join(tree, mutant.file)
  const source = readFileSync(path, 'utf8')
  const end = (outcome: Verdict['outcome'], by: string): Verdict => ({
    outcome,
    by,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  })
  const tests = findNearTests(reach, mutant, hashOf(path)).map((file) => join(tree, file))
  changeSource(tree, mutant.file, applyMutant(source, mutant))
  client.noteChange(path)
  try {
    const near = await client.run({ files: tests.slice(0, nearFiles), bails: true }, nearLimitMs)
    if (near === 'crashed') return end('inconclusive', crash)
    if (near === 'out of time') return end('killed', 'the limit of time')
    if (near.failures[0] !== undefined) return end('killed', near.failures[0])
    const typeError = await findTypeError(tree)
    if (typeError !== undefined) return end('refused by types', typeError)
    for (let done = nearFiles; done < tests.length; done += wideFiles) {
      const files = tests.slice(done, done + wideFiles)
      const left = startedAt + wideLimitMs - performance.now()
      const wide = left > 0 ? await client.run({ files, bails: true }, left) : 'out of time'
      if (wide === 'crashed') return end('inconclusive', crash)
      if (wide === 'out of time') return end('survived', `${done} of ${tests.length} test files in time`)
      if (wide.failures[0] !== undefined) return end('killed', wide.failures[0])
    }
    return end('survived', `${tests.length} test files`)
  } finally {
    restoreSources(tree)
    client.noteChange(path)
  }
}
