import { once } from 'node:events'
import { inspect } from 'node:util'
import { createVitest } from 'vitest/node'

/*
 * Runs test files in the current folder, as often as its parent asks. It is a process of its own, because a mutant can hang it. The
 * engine and the transformed sources stay between the runs.
 */

export interface RunRequest {
  /** Absolute paths of test files. */
  readonly files: readonly string[]
  /** Absolute paths of sources that have changed since the last run. */
  readonly changed: readonly string[]
  /** Whether the first failure ends the run. */
  readonly bails: boolean
}

export interface RunResult {
  /** A line for each file that failed: the file, its first failure and the message. */
  readonly failures: readonly string[]
}

const vitest = await createVitest('test', {
  config: 'vitest.config.ts',
  watch: false,
  project: ['unit', '*-attacks'],
  reporters: [{}],
  onConsoleLog: () => false,
})

const run = async ({ files, changed, bails }: RunRequest): Promise<RunResult> => {
  vitest.config.bail = bails ? 1 : 0
  for (const project of vitest.projects) project.config.bail = bails ? 1 : 0
  for (const file of changed) vitest.invalidateFile(file)
  // Results of earlier runs are kept otherwise.
  vitest.state.filesMap.clear()
  const specifications = files.flatMap((file) => vitest.getModuleSpecifications(file))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failures = testModules.flatMap((module) => {
    const [error] = module.errors()
    const [test] = [...module.children.allTests('failed')]
    if (!error && !test) return []
    const message = error?.message ?? test?.result().errors?.[0]?.message
    return [`${module.relativeModuleId}: ${test?.fullName ?? 'the file'}: ${message?.split('\n')[0]}`]
  })
  return {
    failures: [...failures, ...unhandledErrors.map((error) => `an unhandled error: ${inspect(error)}`)],
  }
}

process.on('message', (request: RunRequest) => {
  void run(request).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${inspect(error)}\n`)
      process.exit(1)
    },
  )
})
const specifications = await vitest.globTestSpecifications()
process.send?.(specifications.map(({ moduleId }) => moduleId))
await once(process, 'disconnect')
await vitest.close()
process.exit()
