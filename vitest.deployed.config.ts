import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { deployedFiles } from './test/runner/deployed-files.ts'
import { sourcesOnly } from './test/runner/sources-only.ts'

/**
 * Runs journeys and attacks against what the synthesised template would deploy, and all of them with `--mode all`. The last
 * project checks that each operation and each grant was used.
 */
export default defineConfig(({ mode }) => ({
  resolve: {
    alias: {
      // The stack of the example imports the published packages.
      '@latchkey/construct': fileURLToPath(new URL('build/package/construct.ts', import.meta.url)),
      latchkey: fileURLToPath(new URL('local/config/define-config.ts', import.meta.url)),
    },
  },
  test: {
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/global-setup.ts'],
    env: { NODE_ENV: 'test', TEST_TARGET: 'deployed' },
    projects: [
      {
        extends: true,
        test: {
          name: 'deployed',
          // Loading the packages of others anew takes a fifth of the time.
          isolate: false,
          setupFiles: ['test/support/fresh-state.ts'],
          include: mode === 'all' ? ['test/{journeys,attacks,deployed,scim}/*.test.ts'] : [...deployedFiles],
          exclude: Object.keys(sourcesOnly),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'coverage',
          include: ['test/deployed/coverage/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}))
