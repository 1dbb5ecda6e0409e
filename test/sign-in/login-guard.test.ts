import { expect, it } from 'vitest'
import { hasPendingAttempts } from '../../lib/features/sign-in/login-guard.records.ts'
import { loginBackOffMaxMs } from '../../lib/kernel/limits/limits.ts'
import { getPairWaitMs } from '../../lib/kernel/rates/sign-in-delays.ts'

/* Functions have clocks of their own, so an attempt that one counted can be later than the clock of another that reads it. */

const nowMs = Date.UTC(2026, 0, 1)
const ahead = { lastAt: nowMs + 5, expires_at: nowMs / 1000 + 3600 }

it('an attempt that was counted a moment ahead is still being checked', () => {
  expect(hasPendingAttempts({ ...ahead, failures: 5 }, nowMs)).toBe(true)
  expect(hasPendingAttempts({ ...ahead, failures: 5, settled: 5 }, nowMs)).toBe(false)
})

it('the longest wait is whole after an attempt that was counted a moment ahead', () => {
  expect(getPairWaitMs({ ...ahead, failures: 100, settled: 100 }, nowMs)).toBe(loginBackOffMaxMs + 5)
})
