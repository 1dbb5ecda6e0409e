import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests in a real browser. They run separately because they need Chromium; `CHROMIUM` is its path. */
export default defineConfig({
  test: {
    root: '.',
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // At least two workers: tests wait for the browser as often as they compute.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    env: { NODE_ENV: 'test' },
  },
})
