import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { deployedFiles } from './test/runner/deployed-files.ts'
import { prebuiltModules } from './test/support/prebuilt-modules.ts'

/** What attackers do. They take as long as all other tests of the sources together. */
const attacks = 'test/attacks/*.test.ts'

/** Journeys and attacks that also run on the deployed template. CI leaves them to it. */
const alsoDeployed = deployedFiles.filter((file) => !file.startsWith('test/deployed/'))

/**
 * Tests of the stack, mixed releases, command lines, local mode, storms, costs and documented commands. They synthesize, bundle,
 * and start processes.
 */
const infraTests = [
  'test/{infra,local,cli,build,releases,chaos}/**/*.test.ts',
  'test/docs/{additions,blocks,kind-of-connection,provider,removal,runbook*}.test.ts',
  'test/bench/cost.test.ts',
  'test/iam-simulation/*.test.ts',
]

/** Tests of published clients, and of clients that others' generators make. Both have to be installed first. */
const clientTests = 'test/{clients,generated-clients}/*.test.ts'

/** Runs of the tools for developers. They start processes of their own, and measure pages in Chromium. */
const toolTests = 'test/tools/*.test.ts'

/** Tests of the package that others install. They pack it and install it with several package managers. */
const packageTests = 'test/package/*.test.ts'

/** Tests with relying parties of others, against local mode. Apache and Chromium have to be installed first. */
const relyingPartyTests = 'test/relying-parties/*.test.ts'

/** Tests of a worker share its process. Loading the packages of others anew takes up to half of the time of a fast test file. */
const sharedProcess = { isolate: false, setupFiles: ['test/support/fresh-state.ts'] }

/** The same for tests that do little else than calling handlers. */
const sharedByMore = {
  ...sharedProcess,
  // A third of the time of a worker is that of the engine, so that one more than there are cores keeps these busy.
  maxWorkers: Math.max(2, availableParallelism()) + 1,
  // Projects with another number of workers run before them, when one command runs both.
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  plugins: [prebuiltModules()],
  resolve: {
    alias: {
      // Examples import the published package.
      '@latchkey/construct': fileURLToPath(new URL('build/package/construct.ts', import.meta.url)),
    },
  },
  test: {
    pool: 'forks',
    // At least two workers: tests wait for the engine as often as they compute.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/global-setup.ts'],
    env: { NODE_ENV: 'test' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...sharedByMore,
          include: ['test/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'test/{browser,deployed}/**',
            attacks,
            ...alsoDeployed,
            ...infraTests,
            clientTests,
            packageTests,
            relyingPartyTests,
            toolTests,
          ],
        },
      },
      {
        extends: true,
        test: { name: 'source-attacks', ...sharedByMore, include: [attacks], exclude: alsoDeployed },
      },
      { extends: true, test: { name: 'also-deployed', ...sharedByMore, include: alsoDeployed } },
      { extends: true, test: { name: 'infra', ...sharedProcess, include: infraTests } },
      { extends: true, test: { name: 'clients', include: [clientTests] } },
      // The forty companies of a test take a minute, and more on a busy machine.
      {
        extends: true,
        test: { name: 'relying-parties', include: [relyingPartyTests], testTimeout: 300_000 },
      },
      { test: { name: 'tools', include: [toolTests], maxConcurrency: 2 } },
      {
        extends: true,
        test: {
          name: 'package',
          include: [packageTests],
          globalSetup: ['test/package/pack-once.ts'],
          // Installing and synthesizing takes minutes on a slow machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
