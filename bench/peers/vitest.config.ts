import { defineConfig } from 'vitest/config'

/** The tests of the tools that measure Latchkey beside other services. */
export default defineConfig({ test: { include: ['bench/peers/*.test.ts'], testTimeout: 90_000 } })
