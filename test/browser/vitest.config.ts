import { defineConfig } from 'vitest/config'

/** Tests in a real browser, apart from the others since they need one installed: `CHROMIUM` says where. */
export default defineConfig({
  test: {
    root: '.',
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test' },
  },
})
