import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { prebuiltModules } from '../support/prebuilt-modules.ts'

/** Tests in a real browser. They run separately because they need Chromium; `CHROMIUM` is its path. `--mode all` takes the flows of
 * administrators and of the account page through Firefox as well. */
export default defineConfig(({ mode }) => ({
  plugins: [prebuiltModules()],
  test: {
    root: '.',
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Files of a worker share its browsers, and the packages of others.
    isolate: false,
    setupFiles: ['test/support/fresh-state.ts', 'test/browser/fresh-contexts.ts'],
    pool: 'forks',
    // At least two workers: tests wait for the browser as often as they compute.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    env: { NODE_ENV: 'test', ...(mode === 'all' && { BROWSERS: 'all' }) },
  },
}))
