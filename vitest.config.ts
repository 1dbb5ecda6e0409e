import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // One a core, also where there are two: tests wait for the engine as much as they compute.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 90_000,
    hookTimeout: 120_000,
    env: { NODE_ENV: 'test' },
  },
})
