import { expect, it } from 'vitest'
import { assertDeployable } from './deployable-settings.ts'

it('accepts settings of the construct', () => {
  expect(() => assertDeployable({ RATE_LIMITS: 'leakReports=150/60', SIGN_IN_URL: '' })).not.toThrow()
})

it('rejects settings that no deployed function can have', () => {
  expect(() => assertDeployable({ RATE_LIMITS: '', DATA_DIR: ':memory:' })).toThrow(
    'No deployed function has the setting DATA_DIR.',
  )
})
